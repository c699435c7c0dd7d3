import * as fc from 'fast-check'
import type {
  Arguments,
  Binding,
  Entry,
  Expression,
  FieldPath,
  Head,
  Name,
  Predicate,
  Program,
  Segment,
  TextValue,
  Value,
} from '../../src/language/syntax/tree.ts'

/** The characters of a text in the basic plane. */
function chars(text: string): string[] {
  return text.split('')
}

const span = { start: 0, end: 0 }

/** The tree without its spans: what it says, not where. */
export function withoutSpans(tree: unknown): unknown {
  return JSON.parse(
    JSON.stringify(tree, (key, held: unknown) =>
      key === 'span' || key === 'ellipsis' ? held && true : held,
    ),
  )
}

const identifier = fc.stringMatching(/^[a-zA-Z][a-zA-Z0-9_]{0,6}$/).filter((text) => !WORDS.test(text))
const WORDS = /^(?:return|let|const|var|page|Get|Query|and|[uv][0-9]+|[emp][0-9]+)$/i
const hyphenated = fc.tuple(identifier, identifier).map((parts) => parts.join('-'))

/** Names as methods and fields have them. */
const name: fc.Arbitrary<Name> = fc.oneof(identifier, hyphenated).map((text) => ({ text, span }))
const label: fc.Arbitrary<Name> = identifier.map((text) => ({ text, span }))
/** An entity, possibly behind its catalog. */
const entityName: fc.Arbitrary<Name> = fc
  .oneof(
    identifier,
    fc.tuple(identifier, identifier).map((parts) => parts.join(':')),
  )
  .map((text) => ({ text, span }))
const line = fc
  .string({ unit: 'binary', minLength: 0, maxLength: 12 })
  .map((text) => text.replace(/[\n\r]/g, ' '))
const spoken = fc.string({
  unit: fc.constantFrom(...chars('ab =,.;:{}[]()<>~"\'\\$_-#/&')),
  minLength: 1,
  maxLength: 12,
})

const heredoc: fc.Arbitrary<TextValue> = fc
  .array(fc.oneof(line, fc.constantFrom('TEXT', ' TEXT_1 )', '${_.id}')), { maxLength: 3 })
  .map((lines) => ({ kind: 'text', value: lines.map((each) => `${each}\n`).join(''), form: 'heredoc', span }))
const text: fc.Arbitrary<TextValue> = fc.oneof(
  fc
    .string({ unit: 'binary', maxLength: 12 })
    .map((value) => ({ kind: 'text' as const, value, form: 'double' as const, span })),
  line.map((value) => ({ kind: 'text' as const, value, form: 'single' as const, span })),
  heredoc,
)
const number: fc.Arbitrary<Value> = fc
  .stringMatching(/^-?[0-9]{1,22}(\.[0-9]{1,4})?$/)
  .map((digits) => ({ kind: 'number', text: digits, span }))
const bare: fc.Arbitrary<Value> = fc
  .oneof(line, spoken)
  .filter((each) => each !== '')
  .map((said) => ({ kind: 'bare', text: said, span }))
/** What may stand unquoted as a statement. */
const dateLike: fc.Arbitrary<Value> = fc
  .constantFrom('2024-01-31', '2024-01-31T12:00:00Z', '5 apples', '-3 %')
  .map((said) => ({ kind: 'bare', text: said, span }))
const path: fc.Arbitrary<Value> = fc.array(name, { minLength: 2, maxLength: 3 }).map((names) => {
  return { kind: 'path', names, text: names.map((each) => each.text).join('.'), span }
})
const hole: fc.Arbitrary<Value> = fc.constant({ kind: 'hole', span })
const some = { maxLength: 3 }

const recursive = fc.letrec<{ value: Value; entry: Entry; arguments: Arguments }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    bare,
    text,
    number,
    path,
    hole,
    fc.array(tie('value'), some).map((items) => ({ kind: 'list' as const, items, span })),
    fc.record({
      kind: fc.constant('object' as const),
      entries: fc.array(tie('entry'), some),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('constructor' as const),
      name: label.map((each) => ({ text: `c${each.text}`, span })),
      entries: fc.array(tie('entry'), some),
      span: fc.constant(span),
    }),
    fc.record({
      kind: fc.constant('call' as const),
      name,
      arguments: tie('arguments'),
      span: fc.constant(span),
    }),
  ),
  entry: fc.record({
    name: fc.oneof(
      name,
      line.map((each) => ({ text: each, span })),
    ),
    value: tie('value'),
    span: fc.constant(span),
  }),
  arguments: fc
    .tuple(fc.array(tie('value'), some), fc.array(tie('entry'), some), fc.boolean())
    .map(([positional, named, open]) => ({ positional, named, ...(open && { ellipsis: span }), span })),
}))

/** Any value. */
const anyValue = recursive.value

const fieldPath: fc.Arbitrary<FieldPath> = fc
  .array(name, { minLength: 1, maxLength: 3 })
  .map((names) => ({ names, span }))
const predicate: fc.Arbitrary<Predicate> = fc
  .tuple(fieldPath, fc.constantFrom('=', '!=', '<', '<=', '>', '>=', '~'), fc.option(anyValue))
  .map(([field, operator, value]) => ({ field, operator, ...(value && { value }), span }))
const filter = fc
  .tuple(fc.array(predicate, some), fc.boolean())
  .map(([predicates, open]) => ({ predicates, ...(open && { ellipsis: span }) }))

const head: fc.Arbitrary<Head> = fc.oneof(
  label.map((each) => ({ kind: 'name' as const, name: each, span })),
  fc.constant({ kind: 'cursor' as const, span }),
  fc
    .tuple(entityName, recursive.arguments)
    .map(([entity, held]) => ({ kind: 'get' as const, entity, arguments: held, span })),
  fc.tuple(entityName, filter).map(([entity, held]) => ({ kind: 'query' as const, entity, ...held, span })),
  fc
    .tuple(entityName, fc.oneof(text, bare, number, path, hole), filter)
    .map(([entity, said, held]) => ({ kind: 'search' as const, entity, text: said, ...held, span })),
  fc.option(anyValue).map((limit) => ({
    kind: 'page' as const,
    handle: { text: 's0_pg1', span },
    ...(limit && { limit }),
    span,
  })),
)

/** Conditions may stand after arguments and columns. */
const narrowed = (segment: fc.Arbitrary<Segment>): fc.Arbitrary<readonly Segment[]> =>
  fc
    .tuple(segment, fc.option(filter))
    .map(([one, held]) => [one, ...(held ? [{ kind: 'filter' as const, ...held, span }] : [])])
const alone = (segment: fc.Arbitrary<Segment>): fc.Arbitrary<readonly Segment[]> =>
  segment.map((one) => [one])

const segments: fc.Arbitrary<readonly Segment[]> = fc.oneof(
  alone(
    fc
      .tuple(name, fc.option(filter))
      .map(([each, held]) => ({ kind: 'step' as const, name: each, ...held, span })),
  ),
  narrowed(
    fc
      .tuple(name, recursive.arguments)
      .map(([each, held]) => ({ kind: 'call' as const, name: each, arguments: held, span })),
  ),
  alone(
    fc.tuple(name, filter).map(([entity, held]) => ({ kind: 'reverse' as const, entity, ...held, span })),
  ),
  narrowed(fc.array(fieldPath, some).map((fields) => ({ kind: 'project' as const, fields, span }))),
  alone(heredoc.map((said) => ({ kind: 'template' as const, text: said, span }))),
)

const operand: fc.Arbitrary<Expression> = fc.oneof(
  fc
    .tuple(head, fc.array(segments, some))
    .map(([start, found]) => ({ kind: 'rows' as const, head: start, segments: found.flat(), span })),
  fc
    .oneof(
      text,
      number,
      dateLike,
      recursive.value.filter(({ kind }) => kind === 'list' || kind === 'object'),
    )
    .map((value) => ({ kind: 'literal' as const, value, span })),
)

const { expression } = fc.letrec<{ expression: Expression }>((tie) => ({
  expression: fc.oneof(
    { depthSize: 'small' },
    operand,
    fc
      .tuple(tie('expression'), tie('expression'))
      .map(([source, body]) => ({ kind: 'each' as const, source, body, span })),
  ),
}))

/** A tree that the parser could have made of a program without problems (teaching marks included). */
export const anyProgram: fc.Arbitrary<Program> = fc.record({
  bindings: fc.array(
    fc.tuple(label, expression).map(([each, value]): Binding => ({ label: each, value, span })),
    some,
  ),
  roots: fc.array(expression, { minLength: 1, maxLength: 3 }),
})

/** A text with a few characters removed, doubled or replaced by marks of the language. */
export function mutated(texts: fc.Arbitrary<string>): fc.Arbitrary<string> {
  const marks = fc.constantFrom(...chars('(){}[],=~.<>"\'\\\n ;:$_#`&'), '<<T\n', '=>', 'return ', '..', '')
  const edits = fc.array(fc.tuple(fc.nat(), fc.nat({ max: 3 }), marks), { minLength: 1, maxLength: 4 })
  return fc.tuple(texts, edits).map(([whole, list]) =>
    list.reduce((said, [place, removed, mark]) => {
      const at = place % (said.length + 1)
      return said.slice(0, at) + mark + said.slice(at + removed)
    }, whole),
  )
}
