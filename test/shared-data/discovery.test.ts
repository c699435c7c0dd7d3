import { describe, expect, test } from 'vitest'
import { halves, questions } from '../discovery/golden/halves.ts'
import { measure } from '../discovery/golden/measure.ts'
import { setOf, type Recall } from '../discovery/golden/recall.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/** Measured values, rounded down: they must not get worse. */
const OTHERS: readonly Recall[] = [
  { name: 'the tuning half', asked: halves('catalogs-of-others.json').tuning, recall: 0.96, silence: 1 },
  { name: 'the held-out half', asked: halves('catalogs-of-others.json').heldOut, recall: 0.85, silence: 1 },
  { name: 'practice', asked: questions('practice-catalogs-of-others.json'), recall: 0.92, silence: 0.9 },
  // Frozen before the ranker was touched, and not read while it was.
  { name: 'the unseen set', asked: questions('unseen-questions.json'), recall: 0.91, silence: 1 },
]

describe.skipIf(whyNoSharedData)(`goals over catalogs by other authors${sharedDataNote}`, () => {
  test.each(OTHERS)('of $name find what they need', async ({ asked, recall, silence }) => {
    const measured = measure(await setOf(sharedCatalogs('catalogs').map(([, path]) => path)), asked)
    expect(measured.recall).toBeGreaterThanOrEqual(recall)
    expect(measured.silence).toBeGreaterThanOrEqual(silence)
  })
})
