import fc from 'fast-check'
import { expect, test } from 'vitest'
import { applyFix } from '../../../src/language/syntax/fix.ts'
import { pointAt } from '../../../src/language/syntax/locate.ts'
import { parse } from '../../../src/language/syntax/parse.ts'
import { program } from '../../../src/language/syntax/parser.ts'
import { print } from '../../../src/language/syntax/print.ts'
import { Tokens } from '../../../src/language/syntax/tokens.ts'
import { mutated, withoutSpans } from '../generators.ts'
import { VALID } from './programs.ts'

/** What holds for any text: an answer, bounded problems inside the text, and a stable print of what is right. */
function survives(text: string): void {
  const { program: tree, problems } = parse(text)
  expect(problems.length).toBeLessThanOrEqual(20)
  for (const { span, fix } of problems) {
    expect(span?.start).toBeLessThanOrEqual(text.length)
    if (span) pointAt(text, span)
    if (fix) parse(applyFix(text, fix))
  }
  const printed = print(tree)
  if (problems.length === 0) expect(withoutSpans(parse(printed).program)).toEqual(withoutSpans(tree))
}

test('any characters get an answer', () => {
  fc.assert(fc.property(fc.string({ unit: 'binary', maxLength: 200 }), survives), { numRuns: 500 })
})

test('any marks get an answer', () => {
  const mark = fc.constantFrom(
    ...'eE1 \n\t(){}[]<>=!~.,;:\'"\\$_#-&',
    '<<T\n',
    '\nT',
    '=>',
    'a=',
    '..',
    'page(',
  )
  fc.assert(
    fc.property(fc.array(mark, { maxLength: 40 }), (marks) => survives(marks.join(''))),
    { numRuns: 2000 },
  )
})

test('broken programs get an answer', () => {
  fc.assert(fc.property(mutated(fc.constantFrom(...VALID)), survives), { numRuns: 2000 })
})

const PIECES = [
  ...[
    '(',
    '[',
    '{',
    '"',
    "'",
    '<<A\n',
    '<<\n',
    '<<A x\nA\n',
    '"\n',
    "='",
    "''",
    ',',
    '\n',
    ' ',
    ';;',
    ';',
    '\\',
    ')',
    '..',
    '$',
  ],
  ...[
    'a(',
    'a{b=',
    'E{a=[',
    'a.',
    'a=>',
    'a =>\n',
    'f(a) ',
    'f(a)x,',
    '[x] y,',
    'a=b\n',
    'a and b=',
    ' and ',
    '{}',
    '(\n)',
    '((\n',
  ],
  ...[
    'return ',
    '# ',
    'a-',
    'a~b.c',
    'a:',
    'Get(',
    '```\n',
    '\r\n',
    '[a[b',
    '"\\',
    'a"b',
    'x=(\n',
    '.^a{',
    '<',
    'E(1 ',
    '  .a\n',
    'a\n\n',
  ],
]

test.each(['…', 'E{…', 'E(x=…', '(…', '…}', 'E(…)))'])('work grows with the text: %s', (frame) => {
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

test('nesting stops at two hundred levels', () => {
  const nested = (levels: number) => `E.m(a=${'['.repeat(levels)}${']'.repeat(levels)})`
  expect(parse(nested(199)).problems).toEqual([])
  expect(parse(nested(200)).problems).toMatchObject([{ code: 'too_deep', span: { start: 205, end: 206 } }])
  expect(parse('a'.padEnd(4 * 201 + 1, '=> a')).problems).toMatchObject([{ code: 'too_deep' }])
})

test('a program is at most 64 KiB', () => {
  expect(parse('E'.repeat(65_536)).problems).toEqual([])
  expect(parse('é'.repeat(32_769))).toEqual({
    program: { bindings: [], roots: [] },
    problems: [
      {
        code: 'program_too_long',
        message: 'wanted a program of at most 65536 bytes, got 65538',
        next: 'Split the work into several programs.',
        span: { start: 0, end: 0 },
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
