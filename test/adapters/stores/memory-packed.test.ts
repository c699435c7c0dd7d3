import fc from 'fast-check'
import { expect, test } from 'vitest'
import { packed, unpacked } from '../../../src/adapters/stores/memory/packed.ts'
import { recordToText } from '../../../src/adapters/stores/stored.ts'
import { address, opened } from '../../contracts/store-fixtures.ts'

test('packed text comes back as it was', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme', maxLength: 5000 }), (text) => {
      expect(unpacked(packed(text))).toBe(text)
    }),
  )
})

test('a record takes less than half of its text', () => {
  const text = recordToText(opened(address('A'), 1_790_000_000_000))
  expect(packed(text).length).toBeLessThan(text.length / 2)
})
