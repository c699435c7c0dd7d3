import type { Span } from '../../base/diagnostic.ts'
import { isCloser, type Pairs } from './brackets.ts'
import type { Name, Value } from './tree.ts'

/** The extent of an unquoted value: to the next comma or closer, or only to the next space or bracket. */
export type Reach = 'phrase' | 'token'

const NAME = '[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*'
/** `.name`, and the places of lists in JSON: `.0`, `[0]` */
const PATH = new RegExp(`^(?:_|${NAME}(?:\\.${NAME}|\\.\\d{1,6}|\\[\\d{1,6}\\])+)$`)
const NUMBER = /^-?[0-9]+(?:\.[0-9]+)?$/
const CALL = new RegExp(`\\.(?:\\^|${NAME}\\()`, 'y')

/** The context that decides where an unquoted value ends. */
export interface BareContext {
  readonly reach: Reach
  /** The value is at the top level of a statement, where `=>` ends it. */
  readonly top: boolean
  /** The brackets that have a closer. */
  readonly pairs: Pairs
}

/**
 * The offset after the unquoted value that begins at `from`, without trailing spaces. It ends at a comma, a closer, the end
 * of the line or `;;`; a `\` makes the next character part of it. As a phrase it includes spaces, and brackets that are
 * closed on the line; at the top level of a statement it ends at `=>`. As a token it ends at any space or bracket, and
 * before a method call.
 */
export function bareEnd(text: string, from: number, { reach, top, pairs }: BareContext): number {
  let end = from
  for (let at = from; at < text.length; at++) {
    const char = text.charAt(at)
    if (char === '\n' || char === ',' || isCloser(char) || text.startsWith(';;', at)) break
    if (top && text.startsWith('=>', at)) break
    if (isBlank(char)) {
      if (reach === 'token') break
      continue
    }
    if ('([{'.includes(char)) {
      const close = reach === 'token' ? undefined : pairs.get(at)
      if (close?.sameLine !== true) break
      at = close.at
    } else if (reach === 'token' && char === '.' && matches(CALL, text, at)) break
    else if (char === '\\' && at + 1 < text.length && text.charAt(at + 1) !== '\n') at++
    end = at + 1
  }
  return end
}

function matches(pattern: RegExp, text: string, at: number): boolean {
  pattern.lastIndex = at
  return pattern.test(text)
}

/** Spaces separate; line breaks are handled elsewhere. */
export function isBlank(char: string): boolean {
  return char === ' ' || char === '\t' || char === '\r' || char === '\u00A0' || char === '\uFEFF'
}

/**
 * The kind of an unquoted value: a number in decimal digits, a path of names, or text. One escape makes it text. Numbers
 * with an exponent are text: `8e5` is more often the start of a hexadecimal id.
 */
export function classify(raw: string, span: Span): Value {
  if (raw.includes('\\')) return { kind: 'bare', text: raw.replace(/\\([^])/g, '$1'), span }
  if (NUMBER.test(raw)) return { kind: 'number', text: raw, span }
  if (PATH.test(raw)) return { kind: 'path', names: pathNames(raw, span.start), text: raw, span }
  return { kind: 'bare', text: raw, span }
}

function pathNames(raw: string, start: number): Name[] {
  return [...raw.matchAll(/[^.[\]]+/g)].map(({ 0: text, index }) => {
    return { text, span: { start: start + index, end: start + index + text.length } }
  })
}
