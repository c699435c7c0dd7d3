import { describe, expect, test } from 'vitest'
import { readingOf } from '../readings.ts'
import { refused } from '../teaching/unaided.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

describe.skipIf(whyNoSharedData)(`what a table shows is what the check wants${sharedDataNote}`, () => {
  test.each(sharedCatalogs('catalogs'))('of %s', async (_, path) => {
    const { catalog } = await readingOf(path)
    expect(catalog && refused(catalog)).toEqual([])
  })
})
