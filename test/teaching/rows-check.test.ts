import { describe, expect, test } from 'vitest'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { wrongRows } from './wrong-rows.ts'

describe('every taught row checks', () => {
  test('of our own catalogs, alone and together', () => {
    expect(wrongRows(fixtureCatalog('shop'))).toEqual([])
    expect(wrongRows(fixtureCatalog('library'))).toEqual([])
    expect(wrongRows(fixtureCatalog('harbor'))).toEqual([])
    expect(wrongRows(fixtureCatalog('shop'), fixtureCatalog('library'))).toEqual([])
  })
})
