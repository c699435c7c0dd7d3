/** A heredoc as it stands in a text: `end` is the offset after the tag that closes it. */
export interface Heredoc {
  readonly tag: string
  readonly value: string
  readonly end: number
}

/** Where a line that could close a heredoc begins, and where the tag on it ends. */
export interface ClosingLine {
  readonly line: number
  readonly end: number
}

/** The lines that could close a heredoc, by tag, in order. */
export type ClosingLines = ReadonlyMap<string, readonly ClosingLine[]>

const CLOSING = /^[ \t]*([A-Za-z_][A-Za-z0-9_]*)[ \t\r)\]},]*$/gm
const OPENER = /<<([A-Za-z_][A-Za-z0-9_]*)[ \t\r]*(?:\n|$)/y

/** Finds every line that holds a name and, after it, nothing but `)`, `]`, `}`, `,` and blanks. One pass. */
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
 * The heredoc that opens at the offset: `<<TAG`, the end of the line, the body as it is, and the first line that holds
 * only TAG, or TAG and then nothing but `)`, `]`, `}`, `,` and blanks. The body keeps its last line break. Undefined if
 * nothing opens there or nothing closes it. Finding the close takes logarithmic time.
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
