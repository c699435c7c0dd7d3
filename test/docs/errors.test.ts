import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { errorDocument } from './error-tables.ts'

const file = new URL('../../docs/errors.md', import.meta.url)

test('the document of problem codes is current', async () => {
  const current = await errorDocument()
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(file, current)
  expect(readFileSync(file, 'utf8')).toBe(current)
  expect(current).toContain('| `unknown_entity` |')
  expect(current).not.toMatch(/undefined|\[object|NaN/)
})
