import { describe, expect, test } from 'vitest'
import { questions } from '../discovery/golden/halves.ts'
import { measure } from '../discovery/golden/measure.ts'
import { setOf, type Reached } from '../discovery/golden/recall.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/** What was measured, rounded: it must not get worse. The bands are calibrated on practice alone. */
const OTHERS: readonly Reached[] = [
  { name: 'practice', asked: questions('practice-catalogs-of-others.json'), recall: 0.93, unsure: 0.75, doubted: 0.12 },
  { name: 'the first set', asked: questions('catalogs-of-others.json'), recall: 0.88, unsure: 0.7, doubted: 0.1 },
  { name: 'the second set', asked: questions('unseen-questions.json'), recall: 0.95, unsure: 0.75, doubted: 0.1 },
]

describe.skipIf(whyNoSharedData)(`goals over catalogs by other authors${sharedDataNote}`, () => {
  test.each(OTHERS)('of $name find what they need', async ({ asked, recall, unsure, doubted }) => {
    const measured = measure(await setOf(sharedCatalogs('catalogs').map(([, path]) => path)), asked)
    expect(measured.recall).toBeGreaterThanOrEqual(recall)
    expect(measured.unsure).toBeGreaterThanOrEqual(unsure)
    expect(measured.doubted).toBeLessThanOrEqual(doubted)
  })
})
