import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { readingOf } from '../readings.ts'
import { refusedBodies } from '../catalog/readers/openapi/bodies.ts'
import { cases } from '../law-cases.ts'
import { SHARED_DATA, sharedDataNote, whyNoSharedData } from './shared-data.ts'

const FOLDER = new URL('openapi/', SHARED_DATA)
const DOCUMENTS = existsSync(FOLDER) ? readdirSync(FOLDER) : []

describe.skipIf(whyNoSharedData)(`bodies that OpenAPI documents allow are sent${sharedDataNote}`, () => {
  test.each(DOCUMENTS)('%s', { timeout: 120_000 }, async (name) => {
    const { catalog } = await readingOf(new URL(name, FOLDER).pathname)
    if (!catalog) throw new Error(name)
    const document = parse(readFileSync(new URL(name, FOLDER), 'utf8'))
    expect(await refusedBodies(document, catalog, cases(1000, 10))).toEqual([])
  })
})
