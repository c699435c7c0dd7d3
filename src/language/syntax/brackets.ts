import { type ClosingLines, heredocAt } from './heredoc.ts'

/** The closer of each opener. */
export const CLOSERS: ReadonlyMap<string, string> = new Map([
  ['(', ')'],
  ['[', ']'],
  ['{', '}'],
])

const OPENERS: ReadonlyMap<string, string> = new Map([...CLOSERS].map(([opener, closer]) => [closer, opener]))

/** Whether the character is one of `)`, `]`, `}`. */
export function isCloser(char: string): boolean {
  return OPENERS.has(char)
}

/** The closer of a bracket, and whether it is on the same line. */
interface Close {
  readonly at: number
  readonly sameLine: boolean
}

/** The closed brackets, by the offset of the opener. */
export type Pairs = ReadonlyMap<number, Close>

/**
 * The closer of each bracket. Brackets in text, heredocs and comments do not count. A bracket without a closer is not in
 * the map, even if those around it are closed, so that the parser can report the right one. One pass.
 */
export function matchBrackets(text: string, lines: ClosingLines): Pairs {
  const pairs = new Map<number, Close>()
  const open: { readonly char: string; readonly at: number; readonly line: number }[] = []
  const waiting = new Map<string, number>()
  const count = (char: string, by: number) => waiting.set(char, (waiting.get(char) ?? 0) + by)
  let before = '\n'
  let line = 0
  for (let at = 0; at < text.length; at++) {
    const char = text.charAt(at)
    if (isLetter(text.charCodeAt(at))) {
      before = char
      continue
    }
    const opener = OPENERS.get(char)
    if (CLOSERS.has(char)) {
      open.push({ char, at, line })
      count(char, 1)
    } else if (opener !== undefined && (waiting.get(opener) ?? 0) > 0) {
      for (let top = open.pop(); top !== undefined; top = open.pop()) {
        count(top.char, -1)
        if (top.char !== opener) continue
        pairs.set(top.at, { at, sameLine: top.line === line })
        break
      }
    } else {
      // A heredoc spans lines, whether it is closed or not.
      if (char === '\n' || (char === '<' && text.charAt(at + 1) === '<')) line++
      at = skipOpaque(text, at, before, lines)
    }
    if (char !== ' ' && char !== '\t') before = char
  }
  return pairs
}

/** Most characters neither open nor close anything. */
function isLetter(code: number): boolean {
  return (code >= 97 && code <= 122) || (code >= 65 && code <= 90)
}

/** Given an offset where opaque text may begin, and the character before it, returns the offset of its last character. */
function skipOpaque(text: string, at: number, before: string, lines: ClosingLines): number {
  const char = text.charAt(at)
  // A line break cannot be escaped: it ends the line of a bracket.
  if (char === '\\') return text.charAt(at + 1) === '\n' ? at : at + 1
  if (char === ';' && text.charAt(at + 1) === ';') return endOfLine(text, at) - 1
  if (char === '<' && text.charAt(at + 1) === '<') return (heredocAt(text, at, lines)?.end ?? at + 1) - 1
  if ((char === '"' || char === "'") && BEFORE_VALUE.includes(before)) return closingQuote(text, at, char)
  return at
}

/** A quote opens text only in the place of a value; elsewhere it is a character, as in `it's`. */
const BEFORE_VALUE = '\n=(,[{:~<>'

/** The closing quote on the same line, or the opening one itself: then it is an ordinary character. */
function closingQuote(text: string, at: number, quote: string): number {
  for (let end = at + 1; end < text.length && text.charAt(end) !== '\n'; end++) {
    if (text.charAt(end) === '\\') end++
    else if (text.charAt(end) === quote) return end
  }
  return at
}

/** The offset of the line's end (that of its line break, or the length of the text). */
export function endOfLine(text: string, at: number): number {
  const end = text.indexOf('\n', at)
  return end === -1 ? text.length : end
}
