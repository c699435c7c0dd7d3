import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import { pin } from '../../src/catalog/digest.ts'
import { indexOf } from '../../src/catalog/lookup.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { type Wave } from '../../src/session/record.ts'
import { teachingTable } from '../../src/teaching/table.ts'
import { readingOf } from '../readings.ts'
import { SHARED_DATA, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/** The table that teaches these entities (all but the abstract ones where none is named), and what was left out of it. */
async function taught(path: string, names?: readonly string[]) {
  const { catalog } = await readingOf(new URL(path, SHARED_DATA).pathname)
  if (!catalog) throw new Error(`no catalog ${path}`)
  const { digest } = pin(catalog)
  const plain = catalog.entities.filter(({ abstract }) => !abstract).map(({ name }) => name)
  const entities = (names ?? plain).toSorted()
  const waves: Wave[] = [
    { revision: 1, generation: 1, picks: [{ catalog: catalog.id, digest, lens: 'all', entities }] },
  ]
  const model = () => catalog
  const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
  const table = teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
  const all = entities.flatMap((entity) => indexOf(catalog).capabilitiesOf(entity))
  const lacking = all.filter(({ unsupported }) => unsupported.length > 0).map(({ name }) => name)
  return { entities: entities.length, tokens: countTokens(table), lacking }
}

describe.skipIf(whyNoSharedData)(`tables are small, with every capability in them${sharedDataNote}`, () => {
  const TABLES = [
    ['catalogs/github', undefined, 24, 4300],
    ['catalogs/linear', undefined, 12, 960],
    ['catalogs/proof', ['Document'], 1, 1030],
    ['fixtures/overshow_tools', undefined, 9, 680],
  ] as const

  test.each(TABLES)('%s', async (path, names, entities, most) => {
    const table = await taught(path, names)
    expect(table).toMatchObject({ entities, lacking: [] })
    expect(table.tokens).toBeLessThanOrEqual(most)
  })

  test('together', async () => {
    const tables = await Promise.all(TABLES.map(([path, names]) => taught(path, names)))
    expect(tables.reduce((sum, { tokens }) => sum + tokens, 0)).toBeLessThanOrEqual(7100)
  })
})
