import { expect, test } from 'vitest'
import { fenced } from '../../../src/base/text/fenced.ts'

test('nothing inside closes a fence', () => {
  expect(fenced('a `b`', 'text')).toBe('```text\na `b`\n```')
  expect(fenced('```js\n```\n', 'tsv')).toBe('````tsv\n```js\n```\n````')
})

test('a text of many runs of backticks is fenced', () => {
  expect(fenced('` '.repeat(200_000), 'text')).toMatch(/^```text\n/)
})
