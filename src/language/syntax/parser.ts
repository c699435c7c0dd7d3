import type { Span } from '../../base/diagnostic.ts'
import { classify } from './bare.ts'
import { isCloser } from './brackets.ts'
import { insert, MAX_LEVELS, quote, type Tokens } from './tokens.ts'
import type { Binding, Expression, Head, Name, Program, Segment, Value } from './tree.ts'
import { callArguments, fields, predicates, seen, value } from './values.ts'

const BINDING = /[A-Za-z_$][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*[ \t]*(?::=|==|=(?!>))/y
const KEYWORD = /(?:return|let|const|var)(?:[ \t]+(?![ \t]|=[^>])|[ \t]*(?=\n|$|;;))/y
const LOOP = /for(?=[ \t]+[A-Za-z_]\w*[ \t]+in[ \t])/y
const RESERVED = /^(?:[emp][0-9]+|_|\$|page|return)$/
const CONSTRUCTOR = /[uv][0-9]+[ \t]*\{/y
const LETTER = /[A-Za-z_]/y
const HANDLE = /^(?:s[0-9]+_)?pg[0-9]+$/
const CONTINUED = /\.(?:\^|[A-Za-z_])|=>/y

/** program = { binding NL } roots { NL roots }; every line that binds nothing adds to the roots */
export function program(tokens: Tokens): Program {
  const bindings: Binding[] = []
  const roots: Expression[] = []
  for (tokens.skipLines(); !tokens.done; tokens.skipLines()) {
    const before = tokens.at
    tokens.arrows = 0
    if (keyword(tokens) && tokens.stuck) continue
    if (tokens.match(BINDING) !== undefined) bindings.push(...binding(tokens))
    else if (!isCloser(tokens.char) && !comment(tokens)) rootList(tokens, roots)
    endOfStatement(tokens)
    if (tokens.at === before) tokens.advance(1)
  }
  reportEmpty(tokens, bindings, roots)
  return { bindings, roots }
}

function reportEmpty(tokens: Tokens, bindings: readonly Binding[], roots: readonly Expression[]): void {
  const last = bindings.at(-1)
  if (roots.length > 0 || tokens.problems.length > 0) return
  const end = { start: tokens.text.length, end: tokens.text.length }
  if (last === undefined) tokens.report('program_empty', {}, end)
  else tokens.report('no_roots', {}, end, insert(last.span.end, `\n${last.label.text}`))
}

/** `return x`, `let x = …`: words of other languages, read as if they were not there. */
function keyword(tokens: Tokens): boolean {
  if (tokens.match(LOOP) !== undefined) {
    tokens.report('keyword', { name: 'for' }, tokens.advance(3))
    while (!tokens.stuck) tokens.skipJunk()
    return true
  }
  const found = tokens.match(KEYWORD)
  if (found === undefined) return false
  const span = tokens.advance(found.length)
  tokens.report('keyword', { name: found.trim() }, span, { edits: [{ span, text: '' }] })
  return true
}

/** A line that begins like a comment of another language. */
function comment(tokens: Tokens): boolean {
  const mark = tokens.match(/#+|\/\//y)
  if (mark === undefined) return false
  const span = tokens.advance(mark.length)
  tokens.report('comment_style', { found: mark }, span, { edits: [{ span, text: ';;' }] })
  while (!tokens.stuck) tokens.skipJunk()
  return true
}

/** binding = label "=" expression */
function binding(tokens: Tokens): Binding[] {
  const start = tokens.at
  const label = tokens.name() ?? { text: tokens.char, span: tokens.advance(1) }
  checkLabel(tokens, label)
  tokens.skip()
  const mark = tokens.match(/:=|==|=/y) ?? ''
  const span = tokens.advance(mark.length)
  if (mark !== '=')
    tokens.report('operator_spelling', { found: mark, wanted: '=' }, span, { edits: [{ span, text: '=' }] })
  const held = expression(tokens)
  tokens.skip()
  const comma = tokens.take(',')
  if (comma !== undefined) {
    tokens.report('binding_of_several', {}, comma)
    rootList(tokens, [])
  }
  return held === undefined ? [] : [{ label, value: held, span: tokens.from(start) }]
}

function checkLabel(tokens: Tokens, label: Name): void {
  if (RESERVED.test(label.text)) tokens.report('reserved_label', { name: label.text }, label.span)
  else if (label.text.includes('-')) tokens.report('label_shape', { name: label.text }, label.span)
}

/** roots = expression { "," [ NL ] expression } */
function rootList(tokens: Tokens, roots: Expression[]): void {
  for (;;) {
    const root = expression(tokens)
    if (root !== undefined) roots.push(root)
    tokens.skip()
    if (tokens.take(',') === undefined) return
    tokens.skipLines()
    if (tokens.done || tokens.match(BINDING) !== undefined) return
  }
}

/** Reports whatever else stands on the line, and skips it unless it may be a statement. */
function endOfStatement(tokens: Tokens): void {
  for (tokens.skip(); !tokens.stuck; tokens.skip()) {
    const gap = { start: tokens.end, end: tokens.at }
    const word = gap.end > gap.start ? tokens.match(/[A-Za-z_][^\s({["'~=,]*/y) : undefined
    if (isCloser(tokens.char)) extraCloser(tokens)
    else if (tokens.char === ';') return semicolon(tokens)
    else if (tokens.char === '{') laterConditions(tokens)
    else if (word !== undefined) {
      const span = { start: gap.end, end: gap.end + word.length }
      return tokens.report('flattened', { found: word }, span, { edits: [{ span: gap, text: '\n' }] })
    } else if (!comment(tokens)) unexpected(tokens)
  }
}

function extraCloser(tokens: Tokens): void {
  const found = tokens.char
  const span = tokens.advance(1)
  tokens.report('extra_closer', { found }, span, { edits: [{ span, text: '' }] })
}

function semicolon(tokens: Tokens): void {
  const span = tokens.advance(1)
  tokens.skip()
  tokens.report('semicolon', {}, span, { edits: [{ span, text: tokens.stuck ? '' : '\n' }] })
}

/** `Pet{a=1}{b=2}` is `Pet{a=1, b=2}`; behind anything else nobody can tell where the conditions belong. */
function laterConditions(tokens: Tokens): void {
  const before = tokens.end
  const start = tokens.at
  const { span } = predicates(tokens)
  const merged = { edits: [{ span: { start: before - 1, end: start + 1 }, text: ', ' }] }
  const fix = tokens.text.charAt(before - 1) === '}' ? merged : undefined
  tokens.report('later_conditions', {}, span, fix)
}

/** Skips the rest of the line, or of the brackets. */
function unexpected(tokens: Tokens): void {
  const start = tokens.at
  tokens.skipJunk()
  const found = quote(tokens.text.slice(start, tokens.at))
  while (!tokens.stuck && !isCloser(tokens.char)) tokens.skipJunk()
  tokens.report('unexpected', { wanted: 'the end of the statement', found }, tokens.from(start))
}

/** expression = operand { "=>" operand } */
function expression(tokens: Tokens): Expression | undefined {
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

/** A line that begins with `.name` or `=>` goes on with the one before. */
function continueLine(tokens: Tokens): void {
  tokens.skip()
  if (tokens.char !== '\n') return
  const { at, end } = tokens
  tokens.skipLines()
  if (tokens.match(CONTINUED) !== undefined) return
  tokens.at = at
  tokens.end = end
}

/** operand = "(" expression ")" { segment } | rows | literal */
function operand(tokens: Tokens): Expression | undefined {
  tokens.skip()
  const start = tokens.at
  if (tokens.char === '(') return grouped(tokens, start)
  if (tokens.match(LETTER) !== undefined && tokens.match(CONSTRUCTOR) === undefined)
    return rows(tokens, start)
  const held = value(tokens)
  if (held !== undefined) return { kind: 'literal', value: held, span: held.span }
  tokens.report('expected_expression', { found: seen(tokens, start) }, { start, end: start + 1 })
  return undefined
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
  const name = tokens.name()
  if (name === undefined) return undefined
  const found = head(tokens, name)
  return { kind: 'rows', head: found, segments: segments(tokens), span: tokens.from(start) }
}

/** head = "_" | page | name | name arguments | name predicates | name "~" text [ predicates ]; name = [ catalog ":" ] word */
function head(tokens: Tokens, name: Name): Head {
  const { start } = name.span
  if (name.text === '_') return { kind: 'cursor', span: name.span }
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
    default:
      return { kind: 'name', name, span: name.span }
  }
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
  tokens.skip()
  const filter = tokens.char === '{' ? predicates(tokens) : { predicates: [] }
  return { kind: 'search', entity, text: held, ...filter, span: tokens.from(start) }
}

function token(tokens: Tokens): Value | undefined {
  const start = tokens.at
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

/** `Pet:1` is `Pet(1)`. */
function colon(tokens: Tokens, entity: Name): Head {
  const colonAt = tokens.advance(1)
  const held = tokens.quoted() ?? identity(tokens)
  const fix = held && {
    edits: [
      { span: colonAt, text: '(' },
      { span: { start: held.span.end, end: held.span.end }, text: ')' },
    ],
  }
  tokens.report('colon_after_name', { name: entity.text }, colonAt, fix)
  const span = tokens.from(colonAt.start)
  const found = { positional: held === undefined ? [] : [held], named: [], span }
  return { kind: 'get', entity, arguments: found, span: tokens.from(entity.span.start) }
}

/** What may stand after the colon of `Pet:1.tags`. */
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
  for (let next = segment(tokens); next !== undefined; next = segment(tokens)) found.push(next)
  return found
}

/** segment = "." name [ arguments | predicates ] | ".^" name [ predicates ] | fields | heredoc */
function segment(tokens: Tokens): Segment | undefined {
  continueLine(tokens)
  const start = tokens.at
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
  if (tokens.starts('('))
    return { kind: 'call', name, arguments: callArguments(tokens), span: tokens.from(start) }
  if (!tokens.starts('{')) return { kind: 'step', name, span: tokens.from(start) }
  return { kind: 'step', name, ...predicates(tokens), span: tokens.from(start) }
}

function reversed(tokens: Tokens, entity: Name, start: number): Segment {
  const filter = tokens.char === '{' ? predicates(tokens) : { predicates: [] }
  return { kind: 'reverse', entity, ...filter, span: tokens.from(start) }
}
