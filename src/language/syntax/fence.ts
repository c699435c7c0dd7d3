/**
 * A program without its Markdown fence: if the first line with text opens a fence, that line and a closing fence on the
 * last line are blanked. Every other character keeps its offset.
 */
export function withoutFence(text: string): string {
  const opening = /^\s*(?:```+|~~~+)[^\n]*/.exec(text)
  if (opening === null) return text
  const body = ' '.repeat(opening[0].length) + text.slice(opening[0].length)
  const end = body.trimEnd()
  const line = end.slice(end.lastIndexOf('\n') + 1)
  return /^[ \t]*(?:```+|~~~+)$/.test(line)
    ? end.slice(0, -line.length) + ' '.repeat(body.length - end.length + line.length)
    : body
}
