import { z } from 'zod'
import { contextInput, discoverInput, GRAMMAR, planInput, runInput } from '../../engine/index.ts'

/** The tools in the order of the list. */
export type ToolName = 'plasm_context' | 'discover_capabilities' | 'plasm' | 'plasm_run'

interface Tool {
  readonly name: ToolName
  readonly title: string
  readonly description: string
  readonly inputSchema: { readonly type: 'object'; readonly [key: string]: unknown }
  /** Only what differs from the protocol's defaults (a tool may destroy, and reaches an open world), and `readOnlyHint`. */
  readonly annotations: {
    readonly readOnlyHint: boolean
    readonly destructiveHint?: false
    readonly idempotentHint?: true
  }
}

const CONTEXT = `Open or extend a session: teaches the entities you pick, once, as a TSV table of symbols. One goal = one \`intent\`: a short sentence, unchanged, also across APIs. Pick \`seeds\` from discover_capabilities, for all APIs in one call. The answer begins with the session's ref (\`s0\`): use \`plasm\` with it, and call this again only for new entities or goals. If an answer names a symbol you have not seen, call with \`have\` = the last \`e#\` whose rows you have, or "none". Sessions expire after 1 h idle; within 30 days the same intent continues them.`

const DISCOVER = `Find the entities of all APIs that fit a goal: \`intent\` is the whole task in one sentence. Its rows are what \`seeds\` take. Skip it if you know them.`

const PLAN = `Check a program and show its plan; calls no API. One that writes gets a plan ref (\`pc1\`) for plasm_run, valid 10 minutes.
${GRAMMAR}`

const RUN = `Run a program. One that writes needs \`plan\` from \`plasm\` and runs once. Large results are cut to the first rows, with the true count, a handle for \`page(s0_pg1)\` and a plasm:// link to all rows (resources/read, not in programs).`

/** The whole of `tools/list`: the same bytes for every client. */
export const TOOLS: readonly Tool[] = [
  {
    name: 'plasm_context',
    title: 'Open or extend a session',
    description: CONTEXT,
    inputSchema: jsonSchema(contextInput),
    annotations: { readOnlyHint: false, destructiveHint: false, idempotentHint: true },
  },
  {
    name: 'discover_capabilities',
    title: 'Find capabilities',
    description: DISCOVER,
    inputSchema: jsonSchema(discoverInput),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'plasm',
    title: 'Plan a program',
    description: PLAN,
    inputSchema: jsonSchema(planInput),
    annotations: { readOnlyHint: true },
  },
  {
    name: 'plasm_run',
    title: 'Run a program',
    description: RUN,
    inputSchema: jsonSchema(runInput),
    annotations: { readOnlyHint: false },
  },
]

/** For hosts that show it; the tools' own descriptions contain everything that it says. */
export const INSTRUCTIONS =
  'Per goal: discover_capabilities (optional), then plasm_context once with a stable intent, then plasm and plasm_run with its logical_session_ref.'

/** The JSON Schema of an input, without the keywords that every client assumes. */
function jsonSchema(schema: z.ZodType): Tool['inputSchema'] {
  const { $schema: _, type: _type, ...rest } = z.toJSONSchema(schema, { io: 'input' })
  return { type: 'object', ...rest }
}
