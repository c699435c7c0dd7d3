import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { halves, questions } from './golden/halves.ts'
import { setOf, type Reached } from './golden/recall.ts'
import { measure } from './golden/measure.ts'

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url))

const ours = [
  ...['bazaar', 'pokeapi'].map((name) => here(`../../src/adapters/catalogs/shipped/${name}`)),
  ...['library', 'shop'].map((name) => here(`../fixtures/catalogs/${name}`)),
]

/** What was measured, rounded: it must not get worse. */
const OURS: readonly Reached[] = [
  {
    name: 'the first half',
    asked: halves('own-catalogs.json').tuning,
    recall: 0.9,
    unsure: 0.9,
    doubted: 0.2,
  },
  {
    name: 'the other half',
    asked: halves('own-catalogs.json').heldOut,
    recall: 0.9,
    unsure: 0.65,
    doubted: 0.2,
  },
  {
    name: 'practice',
    asked: questions('practice-own-catalogs.json'),
    recall: 0.95,
    unsure: 0.9,
    doubted: 0.25,
  },
]

describe('goals over our own catalogs', () => {
  test.each(OURS)('of $name find what they need', async ({ asked, recall, unsure, doubted }) => {
    const measured = measure(await setOf(ours), asked)
    expect(measured.recall).toBeGreaterThanOrEqual(recall)
    expect(measured.unsure).toBeGreaterThanOrEqual(unsure)
    expect(measured.doubted).toBeLessThanOrEqual(doubted)
  })
})
