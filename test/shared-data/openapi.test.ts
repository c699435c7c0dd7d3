import { existsSync, readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { readingOf } from '../readings.ts'
import { SHARED_DATA, sharedDataNote, whyNoSharedData } from './shared-data.ts'

const FOLDER = new URL('openapi/', SHARED_DATA)
const DOCUMENTS = existsSync(FOLDER) ? readdirSync(FOLDER) : []

describe.skipIf(whyNoSharedData)(`OpenAPI documents import whole${sharedDataNote}`, () => {
  test('there are twelve', () => expect(DOCUMENTS).toHaveLength(12))

  test.each(DOCUMENTS)('%s', { timeout: 60_000 }, async (name) => {
    const { catalog, errors, operations } = await readingOf(new URL(name, FOLDER).pathname)
    expect(errors).toEqual([])
    expect(catalog?.entities.length).toBeGreaterThan(0)
    expect(operations?.reachable).toBeGreaterThanOrEqual(Math.ceil(0.99 * (operations?.total ?? 1)))
  })
})
