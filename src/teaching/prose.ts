import { oneLine } from '../base/text/one-line.ts'

/** The longest description in a row, in characters. */
export const PROSE = 60
/** The same for a tool, which has no field that says more of it. */
export const TOOL_PROSE = 100

/** The ends of the first sentence, and of clauses. */
const SENTENCE = /[.!?](?=\s+[A-Z(`"])|(?<=\))\.(?=\s)|;\s/
const CLAUSE =
  /\s*(?:[;:]|\s[—–-]|,(?= (?:which|whose|where|including|identified|using|with|so|but|for|as|such|e\.g)\b))\s/g
/** Words that promise another one. */
const OPEN_END =
  /(?:\s+(?:a|an|and|are|as|at|be|but|by|can|each|for|from|if|in|into|is|it|its|of|on|only|or|per|that|the|this|to|which|with|within|without|via|when|whose|will|you|your))+$/i

/**
 * A description as one short line: its first sentence, without a trailing parenthesis and cell separators. A longer one ends
 * at the end of a clause, or at a word that does not promise another.
 */
export function prose(text: string, longest = PROSE): string {
  const line = oneLine(text, 10 * longest).replaceAll(' · ', ', ')
  const sentence = line
    .slice(0, SENTENCE.exec(line)?.index ?? line.length)
    .replace(/[.;:]?\s*\([^)]*\)\s*$/, '')
    .replace(/[.;:]$/, '')
  if (oneLine(sentence, longest) === sentence) return sentence
  const clauses = [...sentence.slice(0, longest).matchAll(CLAUSE)].map(({ index }) => index)
  const clause = clauses.findLast((end) => end >= longest / 2)
  if (clause !== undefined) return sentence.slice(0, clause).replace(OPEN_END, '')
  const cut = oneLine(sentence, longest)
  return `${cut
    .slice(0, Math.max(cut.lastIndexOf(' '), longest / 2))
    .replace(OPEN_END, '')
    .trimEnd()}…`
}
