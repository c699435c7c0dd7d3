import { oneLine } from '../base/text/one-line.ts'
import { lastEntityNumber } from '../session/exposure.ts'
import type { Wave } from '../session/record.ts'
import type { Recovery, StaleReason } from '../session/reuse.ts'

/** The one line for a call that teaches nothing new, with the last entity symbol of the session. */
export function unchangedLine(waves: readonly Wave[]): string {
  return `_Session unchanged (\`e1\`…\`e${lastEntityNumber(waves)}\`). Use \`plasm\` / \`plasm_run\` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n`
}

/** The one line in place of a table for a reader who may use no entity of the session. */
export const NOTHING_TO_TEACH =
  '_You may use no entity of this session._ Call again with other `seeds` from discover_capabilities, or ask the operator for the right.\n'

const REASONS: Record<StaleReason, string> = {
  expired: 'The execute session behind this ref expired after being idle too long',
  catalog_changed: 'An API of this session changed',
  teaching_changed: 'The server was upgraded and numbers its symbols anew',
  principal_changed: 'The session now belongs to another principal',
  store_went_back:
    'The session store was restored or restarted and may have lost the latest part of this session',
}

/**
 * The notice of a stale binding: what happened, that earlier symbols are void, and where the new ones are.
 *
 * @param recovery absent if another call recovered the session while this one ran
 * @param changes one line for each entity that changed
 */
export function staleNotice(recovery: Recovery | undefined, changes: readonly string[] = []): string {
  const what = recovery
    ? REASONS[recovery.reason]
    : 'The execute session behind this ref was missing or expired'
  const changed = recovery?.changedCatalogs.length ? ` Changed: ${recovery.changedCatalogs.join(', ')}.` : ''
  const lost = recovery?.lostEntities.length
    ? ` No longer there: ${recovery.lostEntities.map(({ catalog, entity }) => `${catalog}:${entity}`).join(', ')}.`
    : ''
  return `**Prior Plasm symbol table is void.** ${what}; a new one was opened.${changed}${lost} Discard every \`e#\`, \`m#\` and \`p#\` from earlier in this conversation and read the table below: only its symbols count.\n\n${changeList(changes)}`
}

/** Names in a catalog are untrusted: each change stays on its line. */
function changeList(changes: readonly string[]): string {
  if (changes.length === 0) return ''
  return `What changed (+ new, - gone, ~ other):\n${changes.map((line) => `- ${oneLine(line, CHANGE)}\n`).join('')}\n`
}

/** The longest line about a change, in characters. */
const CHANGE = 300
