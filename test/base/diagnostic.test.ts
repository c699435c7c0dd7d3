import { expect, test } from 'vitest'
import { problemsOf } from '../../src/base/diagnostic.ts'

const problem = problemsOf({
  found: {
    message: ({ name, others }: { name: string; others: readonly string[] }) =>
      `Found \`${name}\` among ${others.join(', ')}.`,
    next: ({ name }: { name: string; others: readonly string[] }) => `Look at \`${name}\`.`,
  },
})

test('text from outside is shown in full view', () => {
  // A terminal's escape, a line end, a mark that reverses the line, an invisible character.
  const name = 'a\u001b[31mb\nc\u202ed\u200be'
  expect(problem('found', { name, others: [name, 'x'] })).toEqual({
    code: 'found',
    message:
      'Found `a\\u{1b}[31mb\\u{a}c\\u{202e}d\\u{200b}e` among a\\u{1b}[31mb\\u{a}c\\u{202e}d\\u{200b}e, x.',
    next: 'Look at `a\\u{1b}[31mb\\u{a}c\\u{202e}d\\u{200b}e`.',
  })
})

test('text from outside is bounded', () => {
  const { message } = problem('found', { name: 'x'.repeat(1_000_000), others: [] })
  expect(message.length).toBeLessThan(1100)
})
