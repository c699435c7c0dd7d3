/** A heredoc in a text: `end` is the offset after its closing tag. */
export interface Heredoc {
  readonly tag: string
  readonly value: string
  readonly end: number
}

/** A line that could close a heredoc: its start and the end of its tag. */
export interface ClosingLine {
  readonly line: number
  readonly end: number
}

/** The lines that could close a heredoc, by tag, in order. */
export type ClosingLines = ReadonlyMap<string, readonly ClosingLine[]>

const CLOSING = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t\r)\]},]*$/gm
const OPENER = /<<([A-Za-z_][A-Za-z0-9_]*)[ \t\r]*(?:\n|$)/y

/** Finds every line with a name followed only by `)`, `]`, `}`, `,` and spaces. One pass. */
export function closingLines(text: string): ClosingLines {
  const lines = new Map<string, ClosingLine[]>()
  for (const match of text.matchAll(CLOSING)) {
    const tag = match[1] ?? ''
    const found = { line: match.index, end: match.index + match[0].indexOf(tag) + tag.length }
    const others = lines.get(tag)
    if (others === undefined) lines.set(tag, [found])
    else others.push(found)
  }
  return lines
}

/**
 * The heredoc that opens at the offset: `<<TAG`, the end of the line, the body as written, and the first line with only
 * TAG, or TAG followed only by `)`, `]`, `}`, `,` and spaces. The body keeps its last line break. Undefined if no heredoc
 * opens here or it has no end. Finding the end takes logarithmic time.
 */
export function heredocAt(text: string, at: number, lines: ClosingLines): Heredoc | undefined {
  OPENER.lastIndex = at
  const opener = OPENER.exec(text)
  const tag = opener?.[1]
  if (opener === null || tag === undefined) return undefined
  const body = at + opener[0].length
  const close = closeFrom(lines, tag, body)
  return close === undefined ? undefined : { tag, value: text.slice(body, close.line), end: close.end }
}

/** The first line from the offset on that closes the tag. */
export function closeFrom(lines: ClosingLines, tag: string, from: number): ClosingLine | undefined {
  const sorted = lines.get(tag) ?? []
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle]?.line ?? 0) < from) low = middle + 1
    else high = middle
  }
  return sorted[low]
}

/** A tag that no line of the body closes. */
export function freeTag(body: string): string {
  const taken = closingLines(body)
  let tag = 'TEXT'
  for (let number = 1; taken.has(tag); number++) tag = `TEXT_${number}`
  return tag
}
