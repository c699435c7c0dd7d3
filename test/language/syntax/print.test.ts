import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { parse } from '../../../src/language/syntax/parse.ts'
import { print } from '../../../src/language/syntax/print.ts'
import { anyProgram, withoutSpans } from '../generators.ts'

test('a printed tree parses to itself', { timeout: 600_000 }, () => {
  fc.assert(
    fc.property(anyProgram, (program) => {
      const text = print(program)
      const { program: again, problems } = parse(text)
      expect({ text, problems, tree: withoutSpans(again) }).toEqual({
        text,
        problems: [],
        tree: withoutSpans(program),
      })
    }),
    { numRuns: 1000 },
  )
})

test('an escaped word before a sign of equality stays a literal', () => {
  const { program } = parse('1\\a=')
  expect(print(program)).toBe('1a\\=')
  expect(withoutSpans(parse(print(program)).program)).toEqual(withoutSpans(program))
})
