import fc from 'fast-check'
import { expect, test } from 'vitest'
import { jsonSlices } from '../../../src/base/slices/json-slices.ts'

test('the pieces are together what JSON.stringify gives', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 1, max: 3 }), (value, levels) => {
      // Heavy, so that it is written in pieces.
      let heavy: unknown = { value, list: Array.from({ length: 6000 }, () => value), left: undefined }
      for (let level = 1; level < levels; level++) heavy = [heavy, undefined, { heavy }]
      expect([...jsonSlices(heavy)].join('')).toBe(JSON.stringify(heavy))
    }),
    { numRuns: 20 },
  )
})

test('a long text is written in pieces that cut no character', () => {
  const text = `${'a'.repeat(99_999)}😀"\\\n${'b'.repeat(250_000)}`
  const pieces = [...jsonSlices({ text })]
  expect(pieces.join('')).toBe(JSON.stringify({ text }))
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_100)
})

test('pieces of many rows are neither large nor many', () => {
  const rows = Array.from({ length: 9000 }, (_, id) => ({ id, name: `Customer ${id}` }))
  const pieces = [...jsonSlices({ rows })]
  expect(JSON.parse(pieces.join(''))).toEqual({ rows })
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
  expect(pieces.length).toBeLessThan(20)
})
