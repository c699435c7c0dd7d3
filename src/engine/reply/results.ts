import { fenced } from '../../base/text/fenced.ts'
import { ownValue } from '../../base/json.ts'
import type { Json } from '../../base/canonical.ts'
import { type Problem, sentences } from '../../base/diagnostic.ts'
import { visible } from '../../base/text/one-line.ts'
import { jsonSlices } from '../../base/slices/json-slices.ts'
import type { Pace } from '../../base/slices/pace.ts'
import type { PartialReason } from '../../execution/completeness.ts'
import type { EffectOutcome, RootResult, Row } from '../../execution/outcome.ts'

/** What a text shows of results at most: characters a cell, rows a root, characters over all tables. */
const CELL = 400
const HEAD_ROWS = 50
const TEXT = 16_000
/** Some rows are always shown, however wide. */
const FEWEST_ROWS = 3
/** The characters of a long list or object are counted up to here. */
const COUNTED = 10_000

/** A root with the handles that the engine kept for it. */
export interface PublishedRoot extends RootResult {
  /** Of the rows behind all of these. */
  readonly nextPage?: string
  /** Of the rows behind those that the text shows, and how many these are. */
  readonly nextShown?: string
  readonly shown?: number
  readonly snapshot?: string
}

/** What the text can show of a root: its first rows, a line each, and whether that is less than what was computed. */
export interface Excerpt {
  readonly lines: readonly string[]
  readonly cut: boolean
}

/** Cuts roots to what a text can hold: the same cut for the same rows. */
export async function excerptOf(roots: readonly RootResult[], pace: Pace): Promise<Excerpt[]> {
  const share = Math.floor(TEXT / Math.max(1, roots.length))
  const excerpts: Excerpt[] = []
  for (const root of roots) {
    const lines: string[] = []
    let length = 0
    let cut = false
    for (const row of root.rows.slice(0, HEAD_ROWS)) {
      // A cell takes a millisecond where it is a long list.
      if (pace.isDue) await pace.rest()
      const line = rowLine(row, root.columns)
      if (lines.length >= FEWEST_ROWS && length + line.text.length > share) break
      length += line.text.length
      cut ||= line.cut
      lines.push(line.text)
    }
    excerpts.push({ lines, cut: cut || lines.length < root.rows.length })
  }
  return excerpts
}

/**
 * Results as text: a header with the label and the true count, then the table; handles stand in the text.
 *
 * @param excerpts of each root its own, in the same order
 * @param effects undefined where the program changes nothing
 */
export function resultsText(
  roots: readonly PublishedRoot[],
  excerpts: readonly Excerpt[],
  effects: readonly EffectOutcome[] | undefined,
  problems: readonly Problem[],
): string {
  const several = roots.length > 1
  const sections = roots.map((root, index) =>
    section(root, excerpts[index]?.lines ?? [], several ? '###' : '##'),
  )
  const parts = [
    ...(several ? ['# Results'] : []),
    ...sections,
    ...effectLines(effects),
    ...problems.map(problemLine),
  ]
  return `${parts.join('\n\n')}\n`
}

function section(root: PublishedRoot, shownLines: readonly string[], level: string): string {
  const shown = shownLines.length
  const lines = [
    `${level} ${root.label} (${countText(root)}${root.partial ? `, ${PARTIAL[root.partial]}` : ''})`,
    '',
    root.rows.length === 0 ? '(no results)' : table(root.columns, shownLines),
  ]
  if (shown < root.rows.length)
    lines.push(
      '',
      `_The first ${shown} of ${root.rows.length} rows. Fewer columns (\`[a,b]\`) show more rows._`,
    )
  if (root.snapshot)
    lines.push('', `_All of it (MCP \`resources/read\`, not an expression):_ \`${root.snapshot}\``)
  if (root.nextShown)
    lines.push('', `more pages available - use \`page(${root.nextShown})\` for the next page.`)
  return lines.join('\n')
}

function countText({ rows, searched }: PublishedRoot): string {
  const count = `${rows.length} ${rows.length === 1 ? 'row' : 'rows'}`
  return searched === undefined ? count : `${count} found in ${searched}`
}

const PARTIAL: Record<PartialReason, string> = {
  perhaps_more: 'perhaps more there: the API does not say how its pages go on',
  more_pages: 'more there',
  budget: 'partial: the budget of this run ended the reading',
  failed: 'partial: reading stopped at a problem',
}

function table(columns: readonly string[], rows: readonly string[]): string {
  const header = columns.map((column) => cell(column).text).join('\t')
  return fenced([header, ...rows].join('\n'), 'tsv')
}

function rowLine(row: Row, columns: readonly string[]): { readonly text: string; readonly cut: boolean } {
  const cells = columns.map((column) => cell(ownValue(row.values, column) ?? null))
  return { text: cells.map(({ text }) => text).join('\t'), cut: cells.some(({ cut }) => cut) }
}

/** Escapes that programs write in quotes as well, for what ends a cell or a line. */
const ESCAPES: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' }

function cell(value: Json | undefined): { readonly text: string; readonly cut: boolean } {
  const { raw, count } = written(value)
  const head = raw.length > CELL * 2 ? raw.slice(0, CELL * 2) : raw
  // Values that differ are printed apart: what cannot be seen, or changes direction, is escaped and not dropped.
  const clean = visible(
    head.replaceAll('\\', '\\\\').replaceAll(/[\t\n\r]/g, (character) => ESCAPES[character] ?? ''),
  )
  if (raw.length <= CELL && clean.length <= CELL * 2) return { text: clean, cut: false }
  return { text: `${clean.slice(0, CELL).toWellFormed()}… (${count} characters)`, cut: true }
}

/** A value as text, and how many characters it has. Of a long list or object only the beginning is written. */
function written(value: Json | undefined): { readonly raw: string; readonly count: string } {
  if (value === null || value === undefined) return { raw: '', count: '0' }
  if (typeof value === 'string') return { raw: value, count: String(value.length) }
  let raw = ''
  for (const piece of jsonSlices(value)) {
    if (raw.length > COUNTED) return { raw, count: `over ${COUNTED}` }
    raw += piece
  }
  return { raw, count: String(raw.length) }
}

function effectLines(effects: readonly EffectOutcome[] | undefined): string[] {
  if (effects === undefined) return []
  if (effects.length === 0) return ['_Changes: none._']
  const counts = new Map<string, number>()
  for (const { state } of effects) counts.set(state, (counts.get(state) ?? 0) + 1)
  const summary = `_Changes: ${[...counts].map(([state, count]) => `${count} ${EFFECT_STATES[state] ?? state}`).join(', ')}._`
  const unclear = effects.filter(({ state }) => state !== 'done').slice(0, 20)
  return [[summary, ...unclear.map(effectLine)].join('\n')]
}

const EFFECT_STATES: Readonly<Record<string, string>> = {
  done: 'done',
  failed: 'failed',
  unknown: 'unknown (sent, no answer: read before doing it again)',
  not_sent: 'not sent',
}

function effectLine({ catalog, capability, row, state, problem }: EffectOutcome): string {
  return `- ${catalog}:${capability} row ${row + 1}: ${state}${problem ? `: ${sentences(problem)}` : ''}`
}

function problemLine(problem: Problem): string {
  return `**${problem.code}**: ${sentences(problem)}`
}
