import type { Span } from '../../base/diagnostic.ts'
import { endOfLine } from './brackets.ts'

/** The number of characters shown of a line, and the maximum before the place. */
const WINDOW = 100
const BEFORE = 60

/** 1-based; columns count UTF-16 code units. */
export interface Location {
  readonly line: number
  readonly column: number
}

/** Given an offset (anything outside is moved to the nearest end), returns its line and column. */
export function locate(text: string, offset: number): Location {
  const at = within(text, offset)
  let line = 1
  let start = 0
  for (let end = text.indexOf('\n'); end !== -1 && end < at; end = text.indexOf('\n', start)) {
    line++
    start = end + 1
  }
  return { line, column: at - start + 1 }
}

/**
 * The line with its number, and carets under the span. Of a span over several lines only the first is shown, and of a long
 * line about a hundred characters around the place. Tabs and control characters are shown as spaces, so that the carets
 * line up.
 */
export function pointAt(text: string, span: Span): string {
  const at = within(text, span.start)
  const { line, column } = locate(text, at)
  const start = at - column + 1
  const lineEnd = endOfLine(text, at)
  const from = lineEnd - start <= WINDOW ? start : Math.max(start, Math.min(at - BEFORE, lineEnd - WINDOW))
  const to = Math.min(lineEnd, from + WINDOW)
  const [head, tail] = [from > start ? '…' : '', to < lineEnd ? '…' : '']
  const shown = printable(text.slice(from, to).trimEnd())
  const carets = Math.max(1, Math.min(span.end, to, from + Math.max(shown.length, at - from + 1)) - at)
  const gutter = `${line} | `
  const indent = ' '.repeat(gutter.length + head.length + at - from)
  return `${gutter}${head}${shown}${tail}\n${indent}${'^'.repeat(carets)}`
}

function within(text: string, offset: number): number {
  return Math.max(0, Math.min(text.length, offset))
}

/** One visible column per code unit: control, format and separator characters become spaces. */
function printable(text: string): string {
  return text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, ' ')
}
