import { expect, test } from 'vitest'
import { Sliced } from '../../../src/base/slices/sliced.ts'
import type { Json } from '../../../src/base/canonical.ts'
import type { Type } from '../../../src/catalog/model.ts'
import { type KnownFilter, passes } from '../../../src/execution/read/filter.ts'

const TEXT: Type = { kind: 'string', semantics: 'short' }

function isKept(held: Json, filter: Omit<KnownFilter, 'path' | 'type'>): boolean {
  return new Sliced(
    passes({ values: { amount: held } }, [{ path: ['amount'], type: TEXT, ...filter }]),
  ).whole()
}

test.each([
  ['9.5', '>', '10', false],
  ['10.25', '>', '9', true],
  ['-3', '<=', '2', true],
  ['b', '>', '10', true],
  ['2026-10', '<', '2026-9', true],
  ['05', '=', '5', false],
] as const)('text %s %s %s, as rows are sorted: %j', (held, operator, value, expected) => {
  expect(isKept(held, { operator, value })).toBe(expected)
})

test.each([
  ['=', 'a', true],
  ['=', 'c', false],
  ['!=', 'a', false],
  ['!=', 'c', true],
] as const)('%s one of several values, held %s: %j', (operator, held, expected) => {
  expect(isKept(held, { operator, value: ['a', 'b'], oneOf: true })).toBe(expected)
})

test('finds text anywhere in a large value, in steps', () => {
  const length = 200_000
  for (const at of [0, 65_530, 65_535, 65_536, 131_071, length - 6]) {
    const text = `${'.'.repeat(at)}NeedLE${'.'.repeat(length - at - 6)}`
    expect(isKept(text, { operator: '~', value: 'nEEdle' })).toBe(true)
  }
  const steps = passes({ values: { amount: '.'.repeat(length) } }, [
    { path: ['amount'], type: TEXT, operator: '~', value: 'needle' },
  ])
  expect(Array.from({ length: 4 }, () => steps.next())).toEqual([
    ...Array.from({ length: 3 }, () => ({ done: false })),
    { done: true, value: false },
  ])
})

test('finds an item in a large list, in steps', () => {
  const list = Array.from({ length: 3000 }, (_, at) => `tag ${at}`)
  const steps = passes({ values: { amount: list } }, [
    { path: ['amount'], type: TEXT, operator: '~', value: 'tag 2999' },
  ])
  expect(Array.from({ length: 3 }, () => steps.next())).toEqual([
    { done: false },
    { done: false },
    { done: true, value: true },
  ])
})
