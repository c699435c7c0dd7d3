/** Quoted text in a program. */
export interface Quoted {
  readonly value: string
  /** The offset after the closing quote, or its expected place. */
  readonly end: number
  /** Set if the text is invalid: no closing quote on its line, or one on a later line. */
  readonly trouble?: 'unterminated' | 'newline'
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['b', '\b'],
  ['f', '\f'],
  ['n', '\n'],
  ['r', '\r'],
  ['t', '\t'],
])

/**
 * The quoted text that opens at the offset. `"…"` has the escapes of JSON and `\u{200b}`, as tables print it; a backslash before
 * any other character makes it literal. `'…'` is raw, except for `''`, `\'` and `\\`. Quoted text ends on its line. If it does
 * not, and a value could end at the next quote further down, the text was meant to span lines; otherwise the quote was
 * forgotten at the end of the line.
 */
export function quotedAt(text: string, at: number, openClosers: number): Quoted {
  const quote = text.charAt(at)
  const end = closing(text, at + 1, quote, false)
  if (end !== undefined) return { value: unescape(text.slice(at + 1, end), quote), end: end + 1 }
  const later = closing(text, at + 1, quote, true)
  if (later !== undefined && AFTER_VALUE.test(text.slice(later + 1, later + 80))) {
    return { value: unescape(text.slice(at + 1, later), quote), end: later + 1, trouble: 'newline' }
  }
  const forgotten = beforeClosers(text, at + 1, openClosers)
  return { value: unescape(text.slice(at + 1, forgotten), quote), end: forgotten, trouble: 'unterminated' }
}

const AFTER_VALUE = /^[ \t\r]*(?:$|[\n,)\]}]|;;)/

/** The offset of the closing quote, on the same line or (`beyond`) on any. */
function closing(text: string, from: number, quote: string, beyond: boolean): number | undefined {
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\n' && !beyond) return undefined
    if (char === '\\' && text.charAt(at + 1) !== '\n') at++
    else if (char === quote) {
      if (quote === '"' || text.charAt(at + 1) !== "'") return at
      at++
    }
  }
  return undefined
}

/** The end of the line's text, without the closers that the brackets around it need. */
function beforeClosers(text: string, from: number, most: number): number {
  const line = text.indexOf('\n', from)
  let end = line === -1 ? text.length : line
  for (let left = most; end > from; end--) {
    const char = text.charAt(end - 1)
    if (')]}'.includes(char) && left > 0) left--
    else if (!' \t\r'.includes(char)) break
  }
  return end
}

function unescape(raw: string, quote: string): string {
  if (quote === "'") return raw.replace(/''|\\(['\\])/g, (_, escaped: string | undefined) => escaped ?? "'")
  return raw.replace(
    /\\(?:u(?:([0-9a-fA-F]{4})|\{(0*(?:10|[0-9a-fA-F])?[0-9a-fA-F]{1,4})\})|([^]))/g,
    (_, unit: string | undefined, point: string | undefined, char: string) => {
      if (unit !== undefined) return String.fromCharCode(Number.parseInt(unit, 16))
      if (point !== undefined) return String.fromCodePoint(Number.parseInt(point, 16))
      return ESCAPES.get(char) ?? char
    },
  )
}
