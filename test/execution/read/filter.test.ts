import { expect, test } from 'vitest'
import type { Type } from '../../../src/catalog/model.ts'
import { passes } from '../../../src/execution/read/filter.ts'

const TEXT: Type = { kind: 'string', semantics: 'short' }

test.each([
  ['9.5', '>', '10', false],
  ['10.25', '>', '9', true],
  ['-3', '<=', '2', true],
  ['b', '>', '10', true],
  ['2026-10', '<', '2026-9', true],
  ['05', '=', '5', false],
] as const)('text %s %s %s, as rows are sorted: %j', (held, operator, value, isKept) => {
  const filter = { path: ['amount'], operator, type: TEXT, value }
  expect(passes({ values: { amount: held } }, [filter])).toBe(isKept)
})
