import { isCloser } from './brackets.ts'
import { expression, lineContinues, unexpected } from './expressions.ts'
import { predicates } from './predicates.ts'
import { insert, type Tokens } from './tokens.ts'
import type { Binding, Expression, Name, Program } from './tree.ts'

const BINDING = /[A-Za-z_$][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*[ \t]*(?::=|==|=(?!>))/y
/** The label of a binding, in the letters of any language. */
const LABELLED = /[\p{L}\p{M}\p{N}_-]+(?=[ \t]*(?::=|==|=(?!>)))/uy
const KEYWORD = /(?:return|let|const|var)(?:[ \t]+(?![ \t]|=[^>])|[ \t]*(?=\n|$|;;))/y
const LOOP = /for(?=[ \t]+[A-Za-z_]\w*[ \t]+in[ \t])/y
const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/
const RESERVED = /^(?:[emp][0-9]+|_|\$|page|return)$/

/** program = { binding NL } roots { NL roots }; every line that binds nothing adds to the roots */
export function program(tokens: Tokens): Program {
  const bindings: Binding[] = []
  const roots: Expression[] = []
  for (tokens.skipLines(); !tokens.done; tokens.skipLines()) {
    const before = tokens.at
    tokens.arrows = 0
    if (keyword(tokens) && tokens.stuck) continue
    if (tokens.match(BINDING) ?? tokens.match(LABELLED)) bindings.push(...binding(tokens))
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

/** `return x`, `let x = …`: keywords of other languages, which are ignored. */
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

/** A line that starts like a comment of another language. */
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
  const written = tokens.match(LABELLED) ?? tokens.char
  const label = { text: written, span: tokens.advance(written.length) }
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
  else if (!LABEL.test(label.text)) tokens.report('label_shape', { name: label.text }, label.span)
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

/** Reports other text on the line, and skips it unless it may be a statement. */
function endOfStatement(tokens: Tokens): void {
  for (tokens.skip(); !tokens.stuck; tokens.skip()) {
    const gap = { start: tokens.end, end: tokens.at }
    const word = gap.end > gap.start ? tokens.match(/[A-Za-z_][^\s({["'~=,]*/y) : undefined
    if (tokens.text.slice(gap.start, gap.end).includes('\n')) lineContinues(tokens)
    else if (isCloser(tokens.char)) extraCloser(tokens)
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

/** `Pet{a=1}{b=2}` is `Pet{a=1, b=2}`; after anything else the place of the conditions is unknown. */
function laterConditions(tokens: Tokens): void {
  const before = tokens.end
  const start = tokens.at
  const { span } = predicates(tokens)
  const merged = { edits: [{ span: { start: before - 1, end: start + 1 }, text: ', ' }] }
  const fix = tokens.text.charAt(before - 1) === '}' ? merged : undefined
  tokens.report('later_conditions', {}, span, fix)
}
