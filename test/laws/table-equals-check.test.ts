import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { desk } from '../language/desk-catalog.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { cases } from '../law-cases.ts'
import { differences, NONE } from '../teaching/lesson.ts'
import { refused } from '../teaching/unaided.ts'
import { catalogs } from './generated-catalogs.ts'

describe('what a table shows is what the check wants', () => {
  test('of any catalog', { timeout: 900_000 }, () => {
    fc.assert(
      fc.property(catalogs, (catalog) => {
        expect(refused(catalog)).toEqual([])
        expect(differences(catalog)).toEqual(NONE)
      }),
      { numRuns: cases(20_000) },
    )
  })

  test.each(['shop', 'library', 'harbor'])('of %s', (id) => {
    expect(refused(fixtureCatalog(id))).toEqual([])
  })

  test('of the desk', () => {
    expect(refused(desk)).toEqual([])
  })
})
