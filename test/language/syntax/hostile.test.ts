import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Span } from '../../../src/base/diagnostic.ts'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { pointAt } from '../../../src/language/syntax/locate.ts'
import { parse } from '../../../src/language/syntax/parse.ts'
import { program } from '../../../src/language/syntax/parser.ts'
import { print } from '../../../src/language/syntax/print.ts'
import { Tokens } from '../../../src/language/syntax/tokens.ts'
import { mutated, withoutSpans } from '../generators.ts'
import { VALID } from './programs.ts'

/** What holds for any text: an answer, bounded problems inside the text, and a stable print of what is right. */
function faults(text: string): string[] {
  const { program: tree, problems } = parse(text)
  const again = JSON.stringify(withoutSpans(parse(print(tree)).program))
  for (const { fix } of problems) if (fix) parse(applyFix(text, fix))
  return [
    ...(problems.length > 20 ? ['too many problems'] : []),
    ...problems.flatMap(({ code, span }) => (span && inside(text, span) ? [] : [`${code} is nowhere`])),
    ...(problems.length === 0 && again !== JSON.stringify(withoutSpans(tree))
      ? [`${print(tree)} reads otherwise`]
      : []),
  ]
}

function inside(text: string, span: Span): boolean {
  return (
    span.start >= 0 && span.start <= span.end && span.start <= text.length && pointAt(text, span).length < 250
  )
}

const MARKS = 'e E 1 ( ) { } [ ] < > = ! ~ . , ; : \' " \\ $ _ # - & => a= .. page('.split(' ')
const mark = fc.constantFrom(...MARKS, ' ', '\n', '\t', '<<T\n', '\nT')

test.each([
  ['any characters', fc.string({ unit: 'binary', maxLength: 200 })],
  ['any marks', fc.array(mark, { maxLength: 40 }).map((marks) => marks.join(''))],
  ['broken programs', mutated(fc.constantFrom(...VALID))],
])('%s get an answer', (_, texts) => {
  fc.assert(
    fc.property(texts, (text) => {
      expect(faults(text)).toEqual([])
    }),
    { numRuns: 1500 },
  )
})

test('a backslash before a line break escapes nothing', () => {
  expect(faults('1(\\\nT)')).toEqual([])
})

const PIECES = [
  "( [ { \" ' , ; ;; \\ ) .. $ a( a{b= E{a=[ a. a=> {} # // a- a~b.c a: [a[b \"\\ a\"b .^a{ < =' '' ((((a".split(
    ' ',
  ),
  [
    '\n',
    ' ',
    '<<A\n',
    '<<\n',
    '<<A x\nA\n',
    '"\n',
    'a =>\n',
    'f(a) ',
    'f(a)x,',
    '[x] y,',
    'a=b\n',
    'a and b=',
    ' and ',
  ],
  ['(\n)', '((\n', ')e1', 'return ', 'Get(', '```\n', '\r\n', 'x=(\n', 'E(1 ', '  .a\n', 'a\n\n', '<<\n>>\n'],
  ['[0]', '{}', '{a=1}', '.map(x => x)'],
].flat()

test.each(['…', 'E…', 'E{…', 'E(x=…', '(…', '…}', 'E(…)))'])('work grows with the text: %s', (frame) => {
  for (const piece of PIECES) {
    const steps = [5_000, 10_000].map((length) => {
      const tokens = new Tokens(frame.replace('…', () => piece.repeat(length / piece.length)))
      program(tokens)
      return tokens.steps
    })
    const [half = 0, whole = 0] = steps
    expect({ piece, growth: whole / half < 2.5, steps: whole < 20 * 10_000 }).toEqual({
      piece,
      growth: true,
      steps: true,
    })
  }
})

test.each([' ', '\t', '\u00A0'])('blanks without a value are one piece of a program: %j', (blank) => {
  const { problems } = parse(`E{{${blank.repeat(20_000)}`)
  expect(problems.map(({ code }) => code)).not.toContain('too_many_tokens')
})

test('steps of another language are looked for in a few hundred characters only', () => {
  const tail = (columns: number) => parse(`E ) { ${'name, '.repeat(columns)}id }`).problems.at(-1)?.fix
  expect(tail(60)).toBeDefined()
  expect(tail(100)).toBeUndefined()
})

test.each(['[0]', '{}', '.map(x => x)'])('however often it is repeated, the stack holds: %s', (piece) => {
  for (const head of ['E', 'E{a=1}']) expect(faults(head + piece.repeat(9_000))).toEqual([])
})

function nested(levels: number): string {
  return `E.m(a=${'['.repeat(levels)}${']'.repeat(levels)})`
}

test('nesting stops at two hundred levels', () => {
  expect(parse(nested(199)).problems).toEqual([])
  expect(parse(nested(200)).problems).toMatchObject([{ code: 'too_deep', span: { start: 205, end: 206 } }])
  expect(parse('a'.padEnd(4 * 201 + 1, '=> a')).problems).toMatchObject([{ code: 'too_deep' }])
  expect(parse(`${'('.repeat(150)}a${' => a => a)'.repeat(150)}`).problems).toMatchObject([
    { code: 'too_deep' },
  ])
  expect(parse('a[b'.repeat(20)).problems).toMatchObject([{ code: 'too_deep' }])
})

test('a program is at most 64 KiB', () => {
  expect(parse('E'.repeat(65_536)).problems).toEqual([])
  expect(parse('é'.repeat(32_769))).toEqual({
    program: { bindings: [], roots: [] },
    problems: [
      {
        code: 'program_too_long',
        message: 'Expected a program of at most 65536 bytes, got 65538.',
        next: 'Split the work into several programs.',
        span: { start: 0, end: 0 },
      },
    ],
  })
})

test('a program is at most ten thousand names, values and signs', () => {
  const list = (length: number) => `E{a=[${Array.from({ length }, () => '1').join()}]}`
  const [most, more] = [list(4997), list(4998)]
  expect(parse(most).problems).toEqual([])
  expect(parse(more)).toEqual({
    program: { bindings: [], roots: [] },
    problems: [
      {
        code: 'too_many_tokens',
        message: 'Expected at most 10000 names, values and signs, got more.',
        next: 'Split the work into several programs.',
        span: { start: more.length - 2, end: more.length - 1 },
      },
    ],
  })
})

test('problems stop at twenty', () => {
  expect(parse('E{a==1}\n'.repeat(50)).problems).toHaveLength(20)
})

test('names of object machinery are names', () => {
  const { program: tree, problems } = parse('constructor = __proto__{__proto__=1}\nconstructor[toString]')
  expect(problems).toEqual([])
  expect(tree.bindings[0]?.label.text).toBe('constructor')
})
