import type { Tokens } from '../tokens.ts'
import type { Value } from '../tree.ts'

const PART = String.raw`(?:"(?:[^"\\\n]|\\.)*"|'[^'\n]*'|[A-Za-z_][\w.]*)`
const JOINED = new RegExp(String.raw`${PART}(?:[ \t]*\+[ \t]*${PART})+(?=[ \t]*(?:[,)\]}\n]|$))`, 'y')
const PARTS = new RegExp(PART, 'g')

/** Text that is joined with `+`, as in `"PR by " + x.author`; the fix is one text with `${x.author}` in it. */
export function joinedText(tokens: Tokens): Value | undefined {
  const found = tokens.match(JOINED)
  const parts = found?.match(PARTS)
  if (found === undefined || !parts?.some((part) => /^["']/.test(part))) return undefined
  const span = tokens.advance(found.length)
  const text = `"${parts.map(partText).join('')}"`
  tokens.report('joined_text', { found }, span, { edits: [{ span, text }] })
  return { kind: 'text', value: found, form: 'double', span }
}

/** The part as it is written inside double quotes. */
function partText(part: string): string {
  if (part.startsWith('"')) return part.slice(1, -1)
  if (part.startsWith("'")) return JSON.stringify(part.slice(1, -1)).slice(1, -1)
  return `\${${part}}`
}
