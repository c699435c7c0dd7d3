import { describe, expect, test } from 'vitest'
import { readCatalogPath } from '../../src/adapters/catalogs/settled.ts'
import { refused } from '../teaching/unaided.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

describe.skipIf(whyNoSharedData)(`what a table shows is what the check wants${sharedDataNote}`, () => {
  test.each(sharedCatalogs('catalogs'))('of %s', async (_, path) => {
    const { catalog } = await readCatalogPath(path)
    expect(catalog && refused(catalog)).toEqual([])
  })
})
