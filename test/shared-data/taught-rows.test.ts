import { describe, expect, test } from 'vitest'
import { readingOf } from '../readings.ts'
import { wrongRows } from '../teaching/wrong-rows.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

describe.skipIf(whyNoSharedData)(`every taught row checks${sharedDataNote}`, () => {
  test.each(sharedCatalogs('catalogs'))('of %s', async (_, path) => {
    const reading = await readingOf(path)
    expect(reading.catalog && wrongRows(reading.catalog)).toEqual([])
  })
})
