import { oneLine } from '../base/one-line.ts'

/** The longest description in a row, in characters. */
export const PROSE = 60
/** The same for a tool, which has no field that says more of it. */
export const TOOL_PROSE = 100

/** A description as one short line: without a trailing parenthesis and cell separators, cut at a word boundary. */
export function prose(text: string, longest = PROSE): string {
  const line = oneLine(text, 10 * longest)
    .replaceAll(' · ', ', ')
    .replace(/[.;:]?\s*\([^)]*\)\s*$/, '')
    .replace(/\.$/, '')
  const cut = oneLine(line, longest)
  return cut === line ? line : `${cut.slice(0, Math.max(cut.lastIndexOf(' '), longest / 2)).trimEnd()}…`
}
