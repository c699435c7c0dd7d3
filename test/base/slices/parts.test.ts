import fc from 'fast-check'
import { expect, test, vi } from 'vitest'
import { jsonSlices } from '../../../src/base/slices/json-slices.ts'
import { Joined, partsOf } from '../../../src/base/slices/parts.ts'
import type { Json } from '../../../src/base/canonical.ts'

function crossed(value: Json): Json | undefined {
  const joined = new Joined()
  for (const part of partsOf(value)) joined.add(structuredClone(part))
  return joined.value
}

test('a value is the same on the other side', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.integer({ min: 0, max: 3 }), (any, levels) => {
      const json = JSON.stringify(any)
      const value: Json = JSON.parse(json)
      let heavy: Json = value
      for (let level = 0; level < levels; level++)
        heavy = { first: value, list: Array.from({ length: 6000 }, () => value), heavy, last: [] }
      expect(JSON.stringify(crossed(heavy))).toBe(JSON.stringify(heavy))
    }),
    { numRuns: 20 },
  )
})

test('rows cross in parts that are neither large nor many', () => {
  const rows = Array.from({ length: 9000 }, (_, id) => ({ id, name: `Customer ${id}`, tags: ['a', 'b'] }))
  const parts = [...partsOf({ rows, next: null })]
  expect(parts.length).toBeLessThan(30)
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(100_000)
  expect(crossed({ rows, next: null })).toEqual({ rows, next: null })
})

test('a long text crosses in parts that cut it anywhere', () => {
  const text = `${'a'.repeat(99_999)}😀${'b'.repeat(250_000)}`
  const value = { id: 1, text, list: [text, 'short', text], last: true }
  const parts = [...partsOf(value)]
  for (const part of parts) expect(JSON.stringify(part).length).toBeLessThan(110_000)
  expect(crossed(value)).toEqual(value)
})

test('an own key `__proto__` is a key like any other', () => {
  const list = Array.from({ length: 6000 }, () => 1)
  const value: Json = JSON.parse(`{"__proto__":{"admin":true},"rows":{"__proto__":${JSON.stringify(list)}}}`)
  const got = crossed(value)
  expect(JSON.stringify(got)).toBe(JSON.stringify(value))
  expect(Object.getPrototypeOf(got)).toBe(Object.prototype)
})

/** As many as an answer of some megabytes has. */
const MEMBERS = 200_000

test('the keys of an object of many members are noted as it is joined, and not looked for again', () => {
  const value: Json = Object.fromEntries(Array.from({ length: MEMBERS }, (_, at) => [`k${at}`, at]))
  const joined = crossed(value)
  const text = JSON.stringify(value)
  const found = vi.spyOn(Object, 'keys')
  const pieces = [...jsonSlices(joined)]
  const parts = [...partsOf(joined ?? null)]
  expect(found).not.toHaveBeenCalled()
  found.mockRestore()
  expect(pieces.join('')).toBe(text)
  expect(Math.max(...pieces.map(({ length }) => length))).toBeLessThan(100_000)
  expect(Math.max(...parts.map((part) => JSON.stringify(part).length))).toBeLessThan(200_000)
  expect(JSON.stringify(joined)).toBe(text)
})
