import type { Span } from '../../base/diagnostic.ts'
import { selectionAsColumns } from './other-languages/selection.ts'
import type { Tokens } from './tokens.ts'
import type { FieldPath, Operator, Predicate } from './tree.ts'
import { dotted, key, unreadable, value, withEllipsis } from './values.ts'

/** The longest first, so that `<=` is not read as `<`. */
const OPERATOR = /!==|===|!=|==|=>|<>|>=|<=|=|<|>|~|:/y
const SPELLINGS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['=', '='],
  [':', '='],
  ['!=', '!='],
  ['<', '<'],
  ['<=', '<='],
  ['>', '>'],
  ['>=', '>='],
  ['~', '~'],
])
const MISTAKES: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['==', '='],
  ['===', '='],
  ['!==', '!='],
  ['=>', '>='],
  ['<>', '!='],
])

/** Operators that other languages write as words. */
const WORD =
  /(?:not[ \t]+in|in|i?like|contains|includes|has|is[ \t]+not|is|equals|eq|ne|gte|gt|lte|lt)\b(?=[ \t]*[\w("'[])/iy
const WORDS: ReadonlyMap<string, Operator> = new Map<string, Operator>([
  ['not in', '!='],
  ['is not', '!='],
  ['ne', '!='],
  ['like', '~'],
  ['ilike', '~'],
  ['contains', '~'],
  ['includes', '~'],
  ['has', '~'],
  ['gte', '>='],
  ['gt', '>'],
  ['lte', '<='],
  ['lt', '<'],
])

/** predicates = braces {braces}; all conditions hold, in whichever braces */
export function predicates(tokens: Tokens): { predicates: Predicate[]; ellipsis?: Span; span: Span } {
  const start = tokens.at
  const found: Predicate[] = []
  let ellipsis: Span | undefined
  do ellipsis = braces(tokens, found)
  while (ellipsis === undefined && tokens.starts('{'))
  return { predicates: found, ...(ellipsis && { ellipsis }), span: tokens.from(start) }
}

/** braces = "{" [ predicate {"," predicate} [","] ] "}". Gives the place of an ellipsis in them. */
function braces(tokens: Tokens, found: Predicate[]): Span | undefined {
  if (selection(tokens)) return undefined
  return withEllipsis(tokens, () => {
    const item = predicate(tokens)
    if (item !== undefined) found.push(item)
  }).ellipsis
}

/** `{ title user { login } }`: the columns that GraphQL selects. One name alone may be a condition without its value. */
function selection(tokens: Tokens): Span | undefined {
  const close = tokens.pairs.get(tokens.at)?.at
  const written = close === undefined ? '' : tokens.text.slice(tokens.at, close + 1)
  const [first, second, ...more] = selectionAsColumns(written) ?? []
  if (first === undefined || second === undefined) return undefined
  const span = tokens.advance(written.length)
  const text = `[${[first, second, ...more].join(', ')}]`
  tokens.report('expected_operator', { name: first }, span, { edits: [{ span, text }] })
  return span
}

/** predicate = [ name "." ] name operator [ value ] */
function predicate(tokens: Tokens): Predicate | undefined {
  const start = tokens.at
  const names = dotted(tokens, key(tokens))
  if (names.length === 0) return unreadable(tokens)
  const field = { names, span: tokens.from(start) }
  tokens.skip()
  if (between(tokens, field)) return undefined
  const operator = comparison(tokens) ?? word(tokens, field.span.end)
  if (operator === undefined) {
    const name = names.map(({ text }) => text).join('.')
    if (!tokens.stuck && !tokens.endsEntry) tokens.skipJunk()
    tokens.report('expected_operator', { name }, tokens.from(start))
    return undefined
  }
  const right = value(tokens, true)
  const span = tokens.from(start)
  return right === undefined ? { field, operator, span } : { field, operator, value: right, span }
}

const BETWEEN = /between[ \t]+([\w.:+-]+)[ \t]+and[ \t]+([\w.:+-]+)/iy

/** `price between 1 and 5` as two conditions. */
function between(tokens: Tokens, { names, span }: FieldPath): boolean {
  const found = tokens.match(BETWEEN)
  if (found === undefined) return false
  const [, low = '', high = ''] = new RegExp(BETWEEN.source, 'i').exec(found) ?? []
  const at = tokens.advance(found.length)
  const path = names.map(({ text }) => text).join('.')
  const text = `>=${low}, ${path}<=${high}`
  const fix = { edits: [{ span: { start: span.end, end: at.end }, text }] }
  tokens.report('operator_spelling', { found: 'between', wanted: '>=' }, at, fix)
  return true
}

/** `in`, `like`, `contains`: reported with the operator that means the same. */
function word(tokens: Tokens, after: number): Operator | undefined {
  const found = tokens.match(WORD)
  if (found === undefined) return undefined
  const at = tokens.advance(found.length)
  const name = found.toLowerCase().replace(/[ \t]+/g, ' ')
  const operator = WORDS.get(name) ?? '='
  tokens.skip()
  const start = tokens.at
  const close = tokens.char === '(' ? tokens.pairs.get(start)?.at : undefined
  const pattern = operator === '~' ? tokens.match(/(["'])%?[^%"'\n]*%?\1/y) : undefined
  const brackets =
    close === undefined
      ? []
      : [
          { span: { start, end: start + 1 }, text: '[' },
          { span: { start: close, end: close + 1 }, text: ']' },
        ]
  const text =
    pattern === undefined
      ? []
      : [
          {
            span: { start, end: start + pattern.length },
            text: JSON.stringify(pattern.slice(1, -1).replaceAll('%', '')),
          },
        ]
  const edits = [{ span: { start: after, end: start }, text: operator }, ...brackets, ...text]
  tokens.report('operator_spelling', { found, wanted: operator }, at, { edits })
  return operator
}

/** operator = "=" | "!=" | "<" | "<=" | ">" | ">=" | "~" */
function comparison(tokens: Tokens): Operator | undefined {
  const found = tokens.match(OPERATOR)
  if (found === undefined) return undefined
  const span = tokens.advance(found.length)
  const operator = SPELLINGS.get(found)
  if (operator !== undefined) return operator
  const meant = MISTAKES.get(found) ?? '='
  tokens.report('operator_spelling', { found, wanted: meant }, span, { edits: [{ span, text: meant }] })
  return meant
}
