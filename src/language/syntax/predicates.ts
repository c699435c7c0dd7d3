import type { Span } from '../../base/diagnostic.ts'
import type { Tokens } from './tokens.ts'
import type { Operator, Predicate } from './tree.ts'
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

/** predicates = "{" [ predicate {"," predicate} [","] ] "}" */
export function predicates(tokens: Tokens): { predicates: Predicate[]; ellipsis?: Span; span: Span } {
  const found: Predicate[] = []
  const { span, ellipsis } = withEllipsis(tokens, () => {
    const item = predicate(tokens)
    if (item !== undefined) found.push(item)
  })
  return ellipsis === undefined ? { predicates: found, span } : { predicates: found, ellipsis, span }
}

/** predicate = [ name "." ] name operator [ value ] */
function predicate(tokens: Tokens): Predicate | undefined {
  const start = tokens.at
  const names = dotted(tokens, key(tokens))
  if (names.length === 0) return unreadable(tokens)
  const field = { names, span: tokens.from(start) }
  tokens.skip()
  const operator = comparison(tokens)
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
