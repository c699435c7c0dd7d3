import { readFileSync, writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { allRows, errorDocument } from './error-tables.ts'

const file = new URL('../../docs/errors.md', import.meta.url)

test('the document of problem codes is current', async () => {
  const current = await errorDocument()
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(file, current)
  expect(readFileSync(file, 'utf8')).toBe(current)
  expect(current).toContain('| `unknown_entity` |')
  expect(current).not.toMatch(/undefined|\[object|NaN/)
})

test('every code stands in one table', async () => {
  const codes = (await allRows()).map(({ code }) => code)
  expect(codes.filter((code, index) => codes.indexOf(code) !== index)).toEqual([])
})

test('every message starts and ends as a sentence', async () => {
  const rows = await allRows()
  const wrong = rows.flatMap(({ code, message, next }) => [
    ...(START.test(message) && END.test(message) ? [] : [`${code}: ${message}`]),
    ...(START.test(next) && END.test(next) ? [] : [`${code}: ${next}`]),
  ])
  expect(wrong).toEqual([])
})

/** A capital letter, a quoted name, or a value that brings its own beginning. */
const START = /^(?:[A-Z]|`|\{)/
const END = /[.?]$|^\{\w+\}$/
