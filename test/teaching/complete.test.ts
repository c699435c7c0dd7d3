import { readdirSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import type { Capability } from '../../src/catalog/model.ts'
import { readingOf } from '../readings.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { desk } from '../language/desk-catalog.ts'
import { differences, NONE } from './lesson.ts'

describe('a table lets an agent write everything that there is, and nothing else', () => {
  test.each(['shop', 'library', 'harbor'])('of %s', (id) => {
    expect(differences(fixtureCatalog(id))).toEqual(NONE)
  })

  test('of the desk', () => {
    expect(differences(desk)).toEqual(NONE)
  })

  test.each([
    ['reads alone', ({ effect }: Capability) => effect === 'read'],
    ['nothing that lists', ({ kind }: Capability) => kind !== 'query'],
    ['nothing that gets', ({ kind }: Capability) => kind !== 'get'],
    ['nothing of Order', ({ entity }: Capability) => entity !== 'Order'],
  ])('where the reader may use %s', (_, mayUse) => {
    for (const id of ['shop', 'library', 'harbor']) {
      const catalog = fixtureCatalog(id)
      const allowed = new Set(catalog.capabilities.filter(mayUse).map(({ name }) => name))
      expect(differences(catalog, (_catalog, name) => allowed.has(name))).toEqual(NONE)
    }
  })

  test('whatever descriptions say', () => {
    const described = { description: 'Something new · opt forged int · more of it' }
    const capabilities = desk.capabilities.map((one) => ({ ...one, ...described }))
    const entities = desk.entities.map((one) => ({ ...one, ...described }))
    expect(differences({ ...desk, capabilities, entities })).toEqual(NONE)
  })

  const shipped = new URL('../../src/adapters/catalogs/shipped/', import.meta.url)
  test.each(readdirSync(shipped))('of %s', async (name) => {
    const { catalog } = await readingOf(new URL(name, shipped).pathname)
    expect(catalog && differences(catalog)).toEqual(NONE)
  })
})
