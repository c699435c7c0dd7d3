import type { Fix } from '../../base/diagnostic.ts'
import { endOfLine, isCloser } from './brackets.ts'
import { expression, lineContinues, unexpected } from './expressions.ts'
import { loopAsEach } from './other-languages/loop.ts'
import { sqlAsProgram } from './other-languages/sql.ts'
import { tailAsSteps } from './other-languages/tail.ts'
import { insert, quote, type Tokens } from './tokens.ts'
import type { Binding, Expression, Name, Program } from './tree.ts'

const BINDING = /[A-Za-z_$][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*[ \t]*(?::=|==|=(?!>))/y
/** The label of a binding, in the letters of any language. */
const LABELLED = /[\p{L}\p{M}\p{N}_-]+(?=[ \t]*(?::=|==|=(?!>)))/uy
const KEYWORD = /(?:return|let|const|var)(?:[ \t]+(?![ \t]|=[^>])|[ \t]*(?=\n|$|;;))/y
const BULLET = /(?:[-*+•]|\d{1,3}[.)])[ \t]+(?=[A-Za-z_])/y
const FENCE = /(?:`{3,}|~{3,})[^\n]*/y
const TAIL = /[|{]|(?:where|group|order|limit)\b/iy
const SELECT = /select[ \t\n]+(?=[\w*(])/iy
/** Words of a sentence: more than two in a row, or some that end with a mark. */
const WORDS =
  /^(?=.*[\w'’`][ \t]+[A-Za-z`])(?:(?![emp]\d)[A-Za-z`][\w'’`-]*[,;]?[ \t]+){2,12}(?![emp]\d)[A-Za-z`][^={}~()[\]]*$/
const SENTENCE = /^(?![emp]\d)[A-Za-z][\w'’ ]*[:!][ \t]*$/
/** Longer lines are no sentences around a program. */
const LONGEST_SENTENCE = 300
/** Longer steps of other languages, and longer statements of SQL, are not translated. */
const LONGEST_TAIL = 500
const LONGEST_SQL = 1000
const LOOP = /for(?=[ \t]+[A-Za-z_]\w*[ \t]+in[ \t]|[ \t]*\([ \t]*(?:const|let|var)[ \t])/y
const LABEL = /^[A-Za-z_][A-Za-z0-9_]*$/
const RESERVED = /^(?:[emp][0-9]+|_|\$|page|return)$/

/**
 * program = { binding NL } roots { NL roots }; every line that binds nothing adds to the roots
 *
 * @yields before each statement
 */
export function* program(tokens: Tokens): Generator<void, Program> {
  const bindings: Binding[] = []
  const roots: Expression[] = []
  for (tokens.skipLines(); !tokens.done; tokens.skipLines()) {
    yield
    const before = tokens.at
    tokens.arrows = 0
    bullet(tokens)
    if ((loop(tokens) || keyword(tokens) || fence(tokens)) && tokens.stuck) continue
    if (sql(tokens) || prose(tokens)) continue
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
  else
    tokens.report(
      'no_roots',
      {},
      end,
      labelsListed(tokens.text, bindings) ?? insert(last.span.end, `\n${last.label.text}`),
    )
}

/**
 * A list of labels on the last line, which the line above continues with: `[a, b]` as `a, b`, and `[a.name, a.city]` as
 * `a[name, city]`.
 */
function labelsListed(text: string, bindings: readonly Binding[]): Fix | undefined {
  const { value, span } = bindings.at(-1) ?? {}
  const list = value?.kind === 'rows' ? value.segments.find(({ kind }) => kind === 'project') : undefined
  if (list?.kind !== 'project' || !span) return undefined
  const { start } = list.span
  const known = new Set(bindings.map(({ label }) => label.text))
  const paths = list.fields.map(({ names }) => names.map((name) => name.text))
  const labels = new Set(paths.map(([label = '']) => label))
  const isLater = /\n\s*$/.test(text.slice(0, start))
  if (!isLater || ![...labels].every((label) => known.has(label))) return undefined
  const rest = text.slice(list.span.end, span.end)
  const columns = paths.map(([, ...path]) => path.join('.'))
  const [label, more] = labels
  const ofAll = [...labels].map((one) => one + rest).join(', ')
  const ofOne =
    more === undefined && !columns.includes('') ? `${label}[${columns.join(', ')}]${rest}` : undefined
  const roots = columns.every((column) => column === '') ? ofAll : ofOne
  return roots === undefined ? undefined : { edits: [{ span: { start, end: span.end }, text: roots }] }
}

/** `- x`, `1. x`: an item of a list. */
function bullet(tokens: Tokens): void {
  const found = tokens.match(BULLET)
  if (found === undefined) return
  const span = tokens.advance(found.length)
  tokens.report('list_item', { found: found.trim() }, span, { edits: [{ span, text: '' }] })
}

/** A code fence after text: one around the whole program is ignored before. */
function fence(tokens: Tokens): boolean {
  const found = tokens.match(FENCE)
  if (found === undefined) return false
  const span = tokens.advance(found.length)
  tokens.report('code_fence', {}, span, { edits: [{ span, text: '' }] })
  return true
}

/** A statement of SQL, to the end of its paragraph. */
function sql(tokens: Tokens): boolean {
  if (tokens.match(SELECT) === undefined) return false
  const start = tokens.at
  const text = tokens.text.slice(start, start + LONGEST_SQL)
  const written = text.slice(0, /\n[ \t]*\n|;/.exec(text)?.index)
  const translated = sqlAsProgram(written)
  const span = tokens.advance(written.length)
  const end = tokens.take(';')?.end ?? span.end
  const fix = translated === undefined ? undefined : { edits: [{ span: { start, end }, text: translated }] }
  tokens.report('sql', {}, { start, end }, fix)
  return true
}

/** A sentence around the program. */
function prose(tokens: Tokens): boolean {
  const end = endOfLine(tokens.text, tokens.at)
  if (end - tokens.at > LONGEST_SENTENCE) return false
  const line = tokens.text.slice(tokens.at, end).trimEnd()
  if (!WORDS.test(line) && !SENTENCE.test(line)) return false
  const span = tokens.advance(line.length)
  const at = { start: span.start, end: span.start }
  tokens.report('prose', {}, span, { edits: [{ span: at, text: ';; ' }] })
  return true
}

/** A loop of another language, reported and passed over. */
function loop(tokens: Tokens): boolean {
  if (tokens.match(LOOP) === undefined) return false
  const { at } = tokens
  const found = loopAsEach(tokens.text.slice(at))
  const whole = found && { start: at, end: at + found.written.length }
  const fix = found && whole && { edits: [{ span: whole, text: found.each }] }
  tokens.report('keyword', { name: 'for' }, tokens.advance(3), fix)
  if (found) tokens.advance(found.written.length - 3)
  while (!tokens.stuck) tokens.skipJunk()
  return true
}

/** `return x`, `let x = …`: a keyword of other languages, reported and passed over. */
function keyword(tokens: Tokens): boolean {
  const found = tokens.match(KEYWORD)
  if (found === undefined) return false
  const span = tokens.advance(found.length)
  tokens.report('keyword', { name: found.trim() }, span, { edits: [{ span, text: '' }] })
  return true
}

/** A line that starts like a comment of another language. */
function comment(tokens: Tokens): boolean {
  const mark = tokens.match(/#+|\/\/|\/\*|--(?=[ \t])/y)
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
    else if (otherTail(tokens, gap.start)) return
    else if (isCloser(tokens.char)) extraCloser(tokens)
    else if (tokens.char === ';') return semicolon(tokens)
    else if (word !== undefined) {
      const span = { start: gap.end, end: gap.end + word.length }
      return tokens.report('flattened', { found: word }, span, { edits: [{ span: gap, text: '\n' }] })
    } else if (!comment(tokens)) unexpected(tokens)
  }
}

/**
 * Steps in the form of another language, to the end of the line or of their braces. Only so much text is looked at: a line may
 * have thousands of places where such steps could begin.
 */
function otherTail(tokens: Tokens, after: number): boolean {
  const { at, text } = tokens
  if (tokens.match(TAIL) === undefined) return false
  const near = text.slice(at, at + LONGEST_TAIL + 1)
  const closer = tokens.char === '{' ? tokens.pairs.get(at)?.at : undefined
  const written = near.slice(0, closer === undefined ? endOfLine(near, 0) : closer + 1 - at)
  if (written.length > LONGEST_TAIL) return false
  const steps = tailAsSteps(written.replace(/;;.*$/, '').trimEnd())
  if (steps === undefined) return false
  const span = tokens.advance(written.length)
  const fix = { edits: [{ span: { start: after, end: span.end }, text: steps }] }
  tokens.report('unexpected', { wanted: 'the end of the statement', found: quote(written) }, span, fix)
  return true
}

function extraCloser(tokens: Tokens): void {
  const found = tokens.char
  const span = tokens.advance(1)
  tokens.report('extra_closer', { found }, span, { edits: [{ span, text: '' }] })
}

function semicolon(tokens: Tokens): void {
  const span = tokens.advance(1)
  tokens.skip()
  const gap = { start: span.start, end: tokens.at }
  tokens.report('semicolon', {}, span, { edits: [{ span: gap, text: tokens.stuck ? '' : '\n' }] })
}
