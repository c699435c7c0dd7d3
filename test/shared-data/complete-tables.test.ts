import { describe, expect, test } from 'vitest'
import { readingOf } from '../readings.ts'
import { differences, NONE } from '../teaching/lesson.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/** Fixtures that are not whole catalogs. */
const PARTIAL = ['relation_unknown_target_test', 'capability_with_input.cgs.yaml', 'test_schema.cgs.yaml']
const named = [...sharedCatalogs('catalogs'), ...sharedCatalogs('fixtures')].filter(
  ([name]) => !PARTIAL.includes(name),
)

describe.skipIf(whyNoSharedData)(
  `a table lets an agent write everything that there is, and nothing else${sharedDataNote}`,
  () => {
    test.each(named)('of %s', async (_, path) => {
      const { catalog } = await readingOf(path)
      expect(catalog && differences(catalog)).toEqual(NONE)
    })
  },
)
