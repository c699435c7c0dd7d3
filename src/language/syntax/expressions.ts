import type { Span } from '../../base/diagnostic.ts'
import { classify } from './bare.ts'
import { isCloser } from './brackets.ts'
import { lambdaAsSegment } from './other-languages/lambda.ts'
import { predicates } from './predicates.ts'
import { MAX_LEVELS, quote, type Tokens } from './tokens.ts'
import type { Expression, Head, Name, Segment, Value } from './tree.ts'
import { callArguments, fields, seen, value } from './values.ts'

const CONSTRUCTOR = /[uv][0-9]+[ \t]*\{/y
const WAITING = /(?:await|new)[ \t]+(?=[A-Za-z_])/y
const HASHED = /#[A-Za-z0-9-]+/y
const INDEXED = /\[[ \t]*(?:0|0?[ \t]*:[ \t]*\d+|\*)[ \t]*\]/y
/** `(x =>` or `((x) =>`; in `.sort(x) =>` the bracket closes the call. */
const LAMBDA = /\([ \t\n]*(?:[A-Za-z_]\w*|\([ \t]*[A-Za-z_]\w*[ \t]*\))[ \t]*=>[ \t]*/y
const LETTER = /[A-Za-z_]/y
const HANDLE = /^(?:s[0-9]+_)?pg[0-9]+$/
const CONTINUED = /[.[{]|=>/y
const COLUMNS = /\[[ \t\r\n]*[A-Za-z_]/y
/** What an unquoted value begins with where it stands for an expression: a number, a date. */
const UNQUOTED = /[+-]?\.?[0-9]/y

/** expression = operand { "=>" operand } */
export function expression(tokens: Tokens): Expression | undefined {
  let left = operand(tokens)
  while (left !== undefined && arrow(tokens)) {
    if (++tokens.arrows > MAX_LEVELS) tokens.stop(tokens.at, MAX_LEVELS)
    const body: Expression | undefined = operand(tokens)
    if (body === undefined) return left
    left = { kind: 'each', source: left, body, span: { start: left.span.start, end: body.span.end } }
  }
  return left
}

function arrow(tokens: Tokens): boolean {
  continueLine(tokens)
  return tokens.take('=>') !== undefined
}

/** A line that begins with `.`, `[`, `{` or `=>` continues the one before. True if this went on to the next line. */
function continueLine(tokens: Tokens): boolean {
  tokens.skip()
  if (tokens.char !== '\n') return false
  const { at, end } = tokens
  tokens.skipLines()
  if (tokens.match(CONTINUED) !== undefined) return true
  tokens.at = at
  tokens.end = end
  return false
}

/** operand = "(" expression ")" { segment } | rows | literal */
function operand(tokens: Tokens): Expression | undefined {
  tokens.skip()
  const start = tokens.at
  if (tokens.char === '(') return grouped(tokens, start)
  if (tokens.match(LETTER) !== undefined && tokens.match(CONSTRUCTOR) === undefined)
    return rows(tokens, start)
  const unquoted = tokens.match(UNQUOTED) !== undefined
  const held = value(tokens)
  if (held !== undefined && (unquoted || !isUnquoted(held)))
    return { kind: 'literal', value: held, span: held.span }
  tokens.report('expected_expression', { found: seen(tokens, start) }, { start, end: start + 1 })
  return undefined
}

/** Text without quotes is a value only inside brackets: as a statement it is a slip, or no program at all. */
function isUnquoted({ kind }: Value): boolean {
  return kind === 'bare' || kind === 'path'
}

/** Brackets around an expression: what follows them belongs to the rows inside. */
function grouped(tokens: Tokens, start: number): Expression | undefined {
  if (!tokens.open(true)) return undefined
  const inner = expression(tokens)
  for (tokens.skip(); !tokens.close(); tokens.skip()) unexpected(tokens)
  if (inner?.kind !== 'rows') return inner
  const more = segments(tokens)
  return more.length === 0
    ? inner
    : { ...inner, segments: [...inner.segments, ...more], span: tokens.from(start) }
}

/** rows = head { segment } */
function rows(tokens: Tokens, start: number): Expression | undefined {
  const keyword = tokens.match(WAITING)
  if (keyword !== undefined) {
    const span = tokens.advance(keyword.length)
    tokens.report('keyword', { name: keyword.trim() }, span, { edits: [{ span, text: '' }] })
  }
  const name = tokens.name()
  if (name === undefined) return undefined
  const found = head(tokens, name)
  return { kind: 'rows', head: found, segments: segments(tokens), span: tokens.from(start) }
}

/** head = "_" | page | name | name arguments | name predicates | name "~" text [ predicates ]; name = [ catalog ":" ] word */
function head(tokens: Tokens, name: Name): Head {
  const { start } = name.span
  if (name.text === '_') return { kind: 'cursor', span: name.span }
  continueConditions(tokens)
  tokens.skip()
  if (name.text === 'page' && tokens.char === '(') return page(tokens, start)
  switch (tokens.char) {
    case '(':
      return get(tokens, name)
    case '{':
      return { kind: 'query', entity: name, ...predicates(tokens), span: tokens.from(start) }
    case '~':
      return search(tokens, name)
    case ':':
      return qualified(tokens, name) ?? colon(tokens, name)
    case '#':
      if (tokens.match(HASHED) !== undefined) return colon(tokens, name)
      return { kind: 'name', name, span: name.span }
    default:
      return { kind: 'name', name, span: name.span }
  }
}

/** Goes on to the next line if that begins with conditions. */
function continueConditions(tokens: Tokens): void {
  const { at, end } = tokens
  if (continueLine(tokens) && tokens.char === '{') return
  tokens.at = at
  tokens.end = end
}

/** get = name arguments */
function get(tokens: Tokens, entity: Name): Head {
  const found = callArguments(tokens)
  const span = tokens.from(entity.span.start)
  if (/^(?:Get|Query)$/.test(entity.text)) unwrap(tokens, entity, found.positional, span)
  return { kind: 'get', entity, arguments: found, span }
}

/** `Get(Pet(1))` and `Get(Pet:1)` are `Pet(1)`. */
function unwrap(tokens: Tokens, entity: Name, positional: readonly Value[], span: Span): void {
  const [only, ...others] = positional
  if (only === undefined || others.length > 0) return
  const inner = only.kind === 'bare' ? /^([A-Za-z_]\w*)\s*:\s*(.+)$/.exec(only.text) : null
  if (only.kind !== 'call' && inner === null) return
  const text = inner === null ? tokens.text.slice(only.span.start, only.span.end) : `${inner[1]}(${inner[2]})`
  tokens.report('get_wrapper', { name: entity.text }, span, { edits: [{ span, text }] })
}

/** search = name "~" text [ predicates ], the text being quoted, a heredoc, a number or one unquoted token */
function search(tokens: Tokens, entity: Name): Head {
  const { start } = entity.span
  tokens.advance(1)
  tokens.skip()
  const at = tokens.at
  const text = tokens.quoted() ?? tokens.heredoc() ?? token(tokens)
  if (text === undefined)
    tokens.report('expected_value', { found: seen(tokens, at) }, { start: at, end: at + 1 })
  const held: Value = text ?? { kind: 'text', value: '', form: 'double', span: { start: at, end: at } }
  continueConditions(tokens)
  tokens.skip()
  const filter = tokens.char === '{' ? predicates(tokens) : { predicates: [] }
  return { kind: 'search', entity, text: held, ...filter, span: tokens.from(start) }
}

function token(tokens: Tokens): Value | undefined {
  const start = tokens.at
  // In tables, `e1~$.orders`.
  if (tokens.match(/\$(?=\.[A-Za-z_])/y) !== undefined) return { kind: 'hole', span: tokens.advance(1) }
  const raw = tokens.bare(start, 'token')
  const span = { start, end: tokens.at }
  return raw === '' ? undefined : raw === '$' ? { kind: 'hole', span } : classify(raw, span)
}

/** `shop:Order(…)`: the entity behind its catalog's name. */
function qualified(tokens: Tokens, catalog: Name): Head | undefined {
  const found = tokens.match(/:[A-Za-z_]\w*(?=[ \t]*[({~])/y)
  if (found === undefined) return undefined
  tokens.advance(found.length)
  return head(tokens, { text: catalog.text + found, span: tokens.from(catalog.span.start) })
}

/** `Pet:1` and `Pet#1` are `Pet(1)`. */
function colon(tokens: Tokens, entity: Name): Head {
  const mark = tokens.char
  const colonAt = tokens.advance(1)
  const held = tokens.quoted() ?? identity(tokens)
  const fix = held && {
    edits: [
      { span: colonAt, text: '(' },
      { span: { start: held.span.end, end: held.span.end }, text: ')' },
    ],
  }
  tokens.report('colon_after_name', { name: entity.text, found: mark }, colonAt, fix)
  const span = tokens.from(colonAt.start)
  const found = { positional: held === undefined ? [] : [held], named: [], span }
  return { kind: 'get', entity, arguments: found, span: tokens.from(entity.span.start) }
}

/** The id after the colon of `Pet:1.tags`. */
function identity(tokens: Tokens): Value | undefined {
  const found = tokens.match(/[^\s.,;()[\]{}]+/y)
  return found === undefined ? undefined : classify(found, tokens.advance(found.length))
}

/** page = "page" "(" handle [ "," "limit" "=" value ] ")" */
function page(tokens: Tokens, start: number): Head {
  const { positional, named, span } = callArguments(tokens)
  const [first] = positional
  const handle = { text: first?.kind === 'bare' ? first.text : '', span: first?.span ?? span }
  if (!HANDLE.test(handle.text))
    tokens.report(
      'page_handle',
      { found: quote(tokens.text.slice(handle.span.start, handle.span.end)) },
      handle.span,
    )
  for (const extra of positional.slice(1))
    tokens.report('page_argument', { name: tokens.text.slice(extra.span.start, extra.span.end) }, extra.span)
  for (const { name } of named)
    if (name.text !== 'limit') tokens.report('page_argument', { name: name.text }, name.span)
  const limit = named.find(({ name }) => name.text === 'limit')?.value
  return { kind: 'page', handle, ...(limit && { limit }), span: tokens.from(start) }
}

function segments(tokens: Tokens): Segment[] {
  const found: Segment[] = []
  for (let next = segment(tokens); next !== undefined; next = segment(tokens)) {
    if (next === REPORTED) continue
    found.push(next)
    if (next.kind === 'call' || next.kind === 'project') found.push(...narrowed(tokens))
  }
  return found
}

/** filter = predicates, after arguments or fields: elsewhere braces belong to what stands before them. */
function narrowed(tokens: Tokens): Segment[] {
  continueConditions(tokens)
  return tokens.starts('{') ? [{ kind: 'filter', ...predicates(tokens) }] : []
}

/** A form of other languages stood here, and was reported. */
const REPORTED = 'reported'

/** segment = "." name [ arguments | predicates ] | ".^" name [ predicates ] | fields | heredoc */
function segment(tokens: Tokens): Segment | typeof REPORTED | undefined {
  const isLater = continueLine(tokens)
  const start = tokens.at
  if (isLater && tokens.char === '[' && tokens.match(COLUMNS) === undefined) return undefined
  if (tokens.char === '[' && indexed(tokens)) return REPORTED
  if (tokens.char === '[') return { kind: 'project', ...fields(tokens) }
  if (tokens.char === '<') {
    const text = tokens.heredoc()
    return text && { kind: 'template', text, span: text.span }
  }
  if (tokens.char !== '.') return undefined
  tokens.advance(1)
  const reverse = tokens.take('^') !== undefined
  const name = tokens.name()
  if (name === undefined) {
    tokens.report(
      'expected_name',
      { found: seen(tokens, tokens.at) },
      { start: tokens.at, end: tokens.at + 1 },
    )
    return undefined
  }
  if (reverse) return reversed(tokens, name, start)
  if (tokens.match(LAMBDA) !== undefined && lambda(tokens, name, start)) return REPORTED
  if (tokens.starts('('))
    return { kind: 'call', name, arguments: callArguments(tokens), span: tokens.from(start) }
  continueConditions(tokens)
  if (!tokens.starts('{')) return { kind: 'step', name, span: tokens.from(start) }
  return { kind: 'step', name, ...predicates(tokens), span: tokens.from(start) }
}

/** `[0]`, `[:5]`, `[*]`: indexes and wildcards of other languages. */
function indexed(tokens: Tokens): boolean {
  const found = tokens.match(INDEXED)
  if (found === undefined) return false
  const span = tokens.advance(found.length)
  if (found.includes('*')) tokens.report('all_columns', {}, span, { edits: [{ span, text: '' }] })
  else {
    const count = /:[ \t]*(\d+)/.exec(found)?.[1] ?? '1'
    tokens.report('row_index', { found }, span, { edits: [{ span, text: `.limit(${count})` }] })
  }
  return true
}

/** `.map(x => x.title)`: a function of other languages. */
function lambda(tokens: Tokens, name: Name, start: number): boolean {
  const opening = tokens.match(LAMBDA) ?? ''
  const close = tokens.pairs.get(tokens.at)?.at
  const row = /[A-Za-z_]\w*/.exec(opening)?.[0]
  if (close === undefined || row === undefined) return false
  const text = lambdaAsSegment(name.text, row, tokens.text.slice(tokens.at + opening.length, close))
  tokens.advance(close + 1 - tokens.at)
  const span = tokens.from(start)
  tokens.report(
    'lambda',
    { name: name.text },
    span,
    text === undefined ? undefined : { edits: [{ span, text }] },
  )
  return true
}

function reversed(tokens: Tokens, entity: Name, start: number): Segment {
  continueConditions(tokens)
  const filter = tokens.char === '{' ? predicates(tokens) : { predicates: [] }
  return { kind: 'reverse', entity, ...filter, span: tokens.from(start) }
}

/** Reports what the line above cannot continue with, and skips the line. */
export function lineContinues(tokens: Tokens): void {
  const start = tokens.at
  const found = tokens.char
  while (!tokens.stuck) tokens.skipJunk()
  tokens.report('line_continues', { found }, tokens.from(start))
}

/** Skips the rest of the line, or of the brackets. */
export function unexpected(tokens: Tokens): void {
  const start = tokens.at
  tokens.skipJunk()
  const found = quote(tokens.text.slice(start, tokens.at))
  while (!tokens.stuck && !isCloser(tokens.char)) tokens.skipJunk()
  tokens.report('unexpected', { wanted: 'the end of the statement', found }, tokens.from(start))
}
