import type { Span } from '../../base/diagnostic.ts'
import { classify, isBlank } from './bare.ts'
import { isCloser } from './brackets.ts'
import { joinedText } from './other-languages/joined-text.ts'
import { quote, type Tokens } from './tokens.ts'
import type { Arguments, Entry, FieldPath, Name, Value } from './tree.ts'

/** The mark between a key and its value in a call. `:` needs a space or an opener after it: ids may contain colons. */
const CALL_SEPARATOR = /==|=(?!>)|:(?=[ \t"'[{$]|<<)/y
const OBJECT_SEPARATOR = /==|=(?!>)|:/y
const ELLIPSIS = /\.\.(?=[ \t\r\n]*(?:[,)\]}]|$))/y
const CALLED = /[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*\(/y
const CONSTRUCTED = /(?:[a-z][A-Za-z0-9_]*|[uv][0-9]+[ \t]+)\{/y
const ENTRIES = /\}|\.\.|(?:[A-Za-z_][A-Za-z0-9_-]*|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t\r\n]*(?:=(?!>)|:)/y
const DOT = /\.(?=[A-Za-z_])/y
/** The place of a list in JSON. */
const PLACE = /\.\d{1,6}(?![\w-])|\[\d{1,6}\]/y
const COLUMN_NAME = /[A-Za-z_]\w*[ \t]*=(?![>=])/y
const AS = /as[ \t]+[A-Za-z_]\w*/iy
/** The maximum depth of the brackets of one field. */
const MAX_HOPS = 16
const CONJUNCTION =
  /\s(&&|and)\s+[A-Za-z_][\w.]*\s*(?:[=<>~]|!=|(?:not\s+)?in\s*[([]|i?like\s*["']|is\s+(?:not\s+)?null\b)/i

/**
 * value = text | heredoc | list | object | constructor | call | "$" | number | path | phrase
 *
 * Undefined where nothing stands. What begins as a list, a call or an object and goes on is a phrase after all: `[URGENT] fix`.
 */
export function value(tokens: Tokens, conditions = false): Value | undefined {
  tokens.skip()
  const start = tokens.at
  const known = tokens.problems.length
  const found = joinedText(tokens) ?? structured(tokens)
  if (found !== undefined && (found.kind === 'text' || endsValue(tokens))) return found
  if (found !== undefined && tokens.text.slice(start, tokens.at).includes('\n')) return found
  const raw = tokens.bare(start, 'phrase')
  if (found !== undefined && tokens.at === found.span.end) return found
  tokens.problems.length = Math.min(known, tokens.problems.length)
  if (raw === '') return undefined
  if (conditions) return beforeConjunction(tokens, start, raw)
  return classify(raw, { start, end: tokens.at })
}

/** `a && b=2` is two conditions of another language: the text after the first is parsed as the next. */
function beforeConjunction(tokens: Tokens, start: number, raw: string): Value {
  const split = CONJUNCTION.exec(raw)
  const first = raw.slice(0, split?.index).trimEnd()
  if (split === null || /[=<>~]/.test(first)) return classify(raw, { start, end: tokens.at })
  tokens.back(start + first.length)
  return classify(first, { start, end: tokens.at })
}

/** Whether the value ends here, apart from spaces. */
function endsValue(tokens: Tokens): boolean {
  let at = tokens.at
  while (isBlank(tokens.text.charAt(at))) at++
  const char = tokens.text.charAt(at)
  if (char === '' || char === '\n' || char === ',' || isCloser(char) || tokens.text.startsWith(';;', at))
    return true
  return tokens.top && tokens.text.startsWith('=>', at)
}

/** The kinds of values that are recognised by their first characters. */
function structured(tokens: Tokens): Value | undefined {
  const start = tokens.at
  switch (tokens.char) {
    case '"':
    case "'":
      return tokens.quoted()
    case '<':
      return tokens.heredoc()
    case '[':
      return list(tokens)
    case '{':
      return holdsEntries(tokens, 1) ? { kind: 'object', ...entries(tokens) } : undefined
    case '$':
      if (tokens.match(/\$(?=[ \t\r\n,)\]}]|;;|=>|$)/y) === undefined) return undefined
      return { kind: 'hole', span: tokens.advance(1) }
  }
  if (tokens.match(CALLED) !== undefined) return call(tokens, start)
  const constructed = tokens.match(CONSTRUCTED)
  return constructed !== undefined && holdsEntries(tokens, constructed.length)
    ? constructor(tokens, start)
    : undefined
}

/** Whether entries begin this many characters further on. Otherwise a brace is a character of a phrase. */
function holdsEntries(tokens: Tokens, ahead: number): boolean {
  const { at, end } = tokens
  if (!tokens.pairs.has(at + ahead - 1)) return true
  tokens.at += ahead
  tokens.skipLines()
  const found = tokens.match(ENTRIES) !== undefined
  tokens.at = at
  tokens.end = end
  return found
}

/** list = "[" [ value {"," value} [","] ] "]" */
function list(tokens: Tokens): Value {
  const items: Value[] = []
  const span = tokens.delimited(() => {
    const item = wanted(tokens, value(tokens))
    if (item !== undefined) items.push(item)
  })
  return { kind: 'list', items, span }
}

/** call = name "(" arguments ")" */
function call(tokens: Tokens, start: number): Value | undefined {
  const name = tokens.name()
  return name && { kind: 'call', name, arguments: callArguments(tokens), span: tokens.from(start) }
}

/** constructor = name object */
function constructor(tokens: Tokens, start: number): Value | undefined {
  const name = tokens.name()
  tokens.skip()
  return name && { kind: 'constructor', name, ...entries(tokens), span: tokens.from(start) }
}

interface Entries {
  readonly entries: readonly Entry[]
  readonly ellipsis?: Span
  readonly span: Span
}

/** object = "{" [ key ("=" | ":") value {"," …} [","] ] "}" */
function entries(tokens: Tokens): Entries {
  const found: Entry[] = []
  const { span, ellipsis } = withEllipsis(tokens, () => {
    const entry = namedEntry(tokens, OBJECT_SEPARATOR)
    if (entry === undefined) unreadable(tokens)
    else if (entry !== 'incomplete') found.push(entry)
  })
  return ellipsis === undefined ? { entries: found, span } : { entries: found, ellipsis, span }
}

/** arguments = "(" [ argument {"," argument} [","] ] ")"; argument = ".." | key ("=" | ":") value | value */
export function callArguments(tokens: Tokens): Arguments {
  const named: Entry[] = []
  const positional: Value[] = []
  const { span, ellipsis } = withEllipsis(tokens, () => {
    const entry = namedEntry(tokens, CALL_SEPARATOR)
    if (entry === undefined) {
      const item = wanted(tokens, value(tokens))
      if (item !== undefined) positional.push(item)
    } else if (entry !== 'incomplete') named.push(entry)
  })
  return ellipsis === undefined ? { positional, named, span } : { positional, named, ellipsis, span }
}

/** fields = "[" [ field {"," field} [","] ] "]"; field = [ name "=" ] name {"." name} [ fields ] */
export function fields(tokens: Tokens, before: readonly Name[] = []): { fields: FieldPath[]; span: Span } {
  const found: FieldPath[] = []
  const span = tokens.delimited(() => {
    const start = tokens.at
    const as = before.length === 0 ? columnName(tokens) : undefined
    const names = dotted(tokens, tokens.name())
    tokens.skip()
    if (names.length === 0) noField(tokens)
    else if (before.length >= MAX_HOPS) tokens.stop(start, MAX_HOPS)
    else if (tokens.char === '[') found.push(...fields(tokens, [...before, ...names]).fields)
    else {
      const path = { names: [...before, ...names], ...(as && { as }), span: tokens.from(start) }
      found.push(path)
      renamed(tokens, path)
    }
  })
  return { fields: found, span }
}

/** The new name of a column: `title=` */
function columnName(tokens: Tokens): Name | undefined {
  if (tokens.match(COLUMN_NAME) === undefined) return undefined
  const name = tokens.name()
  tokens.skip()
  tokens.advance(1)
  tokens.skip()
  return name
}

/** `name as title`, as SQL writes it. */
function renamed(tokens: Tokens, { names, span }: FieldPath): void {
  const found = tokens.match(AS)
  if (found === undefined) return
  tokens.advance(found.length)
  const [, name = ''] = /(\w+)$/.exec(found) ?? []
  const path = names.map(({ text }) => text).join('.')
  const whole = tokens.from(span.start)
  const fix = { edits: [{ span: whole, text: `${name}=${path}` }] }
  tokens.report('column_name', { found: `${path} as ${name}` }, whole, fix)
}

function noField(tokens: Tokens): void {
  const start = tokens.at
  if (tokens.quoted() === undefined && !tokens.endsEntry) tokens.skipJunk()
  tokens.report(
    'empty_fields',
    { found: seen(tokens, start) },
    { start, end: Math.max(start + 1, tokens.end) },
  )
}

export function dotted(tokens: Tokens, first: Name | undefined): Name[] {
  const names = first === undefined ? [] : [first]
  while (names.length > 0) {
    const place = tokens.match(PLACE)
    if (place !== undefined) {
      names.push({ text: place.replaceAll(/\D/g, ''), span: tokens.advance(place.length) })
    } else if (tokens.match(DOT) !== undefined) {
      tokens.advance(1)
      const next = tokens.name()
      if (next !== undefined) names.push(next)
    } else break
  }
  return names
}

/** key = name | text */
export function key(tokens: Tokens): Name | undefined {
  const quoted = tokens.quoted()
  return quoted === undefined ? tokens.name() : { text: quoted.value, span: quoted.span }
}

const KEYED =
  /(?:[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*|"(?:[^"\\\n]|\\.)*"|'[^'\n]*')[ \t\r]*(?==(?!>)|:)/y

/** `key=value`; undefined if no key stands here, `incomplete` if its value is missing. */
function namedEntry(tokens: Tokens, separator: RegExp): Entry | 'incomplete' | undefined {
  const { at: start, end } = tokens
  if (tokens.match(KEYED) === undefined) return undefined
  const name = key(tokens)
  tokens.skip()
  const mark = tokens.match(separator)
  if (name === undefined || mark === undefined) {
    tokens.at = start
    tokens.end = end
    return undefined
  }
  const span = tokens.advance(mark.length)
  if (mark === '==')
    tokens.report('operator_spelling', { found: mark, wanted: '=' }, span, { edits: [{ span, text: '=' }] })
  const held = wanted(tokens, value(tokens))
  return held === undefined ? 'incomplete' : { name, value: held, span: tokens.from(start) }
}

/** A bracketed list of entries, in which `..` may be the last. */
export function withEllipsis(tokens: Tokens, item: () => void): { span: Span; ellipsis?: Span } {
  let ellipsis: Span | undefined
  const span = tokens.delimited(() => {
    if (ellipsis !== undefined) tokens.report('ellipsis_not_last', {}, ellipsis, removal(tokens, ellipsis))
    if (tokens.match(ELLIPSIS) === undefined) item()
    else ellipsis = tokens.advance(2)
  })
  return ellipsis === undefined ? { span } : { span, ellipsis }
}

function removal(tokens: Tokens, ellipsis: Span) {
  return { edits: [{ span: { start: ellipsis.start, end: tokens.at }, text: '' }] }
}

function wanted(tokens: Tokens, found: Value | undefined): Value | undefined {
  if (found === undefined)
    tokens.report(
      'expected_value',
      { found: seen(tokens, tokens.at) },
      { start: tokens.at, end: tokens.at + 1 },
    )
  return found
}

export function unreadable(tokens: Tokens): undefined {
  const start = tokens.at
  if (!tokens.endsEntry) tokens.skipJunk()
  tokens.report(
    'expected_entry',
    { found: seen(tokens, start) },
    { start, end: Math.max(start + 1, tokens.end) },
  )
  return undefined
}

/** A description of the text at the offset. */
export function seen(tokens: Tokens, start: number): string {
  const text = tokens.text.slice(start, Math.max(start + 1, tokens.end))
  return text === '' ? 'the end of the program' : text.startsWith('\n') ? 'the end of the line' : quote(text)
}
