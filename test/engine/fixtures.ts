import { readFileSync } from 'node:fs'
import { pin } from '../../src/catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../src/catalog/lookup.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'

const read = new Map<string, ServedCatalog>()

/** One of our own catalogs, read as the server reads it: an object of its own each time. */
export function fixtureCatalog(id: string, changes: Partial<ServedCatalog> = {}): ServedCatalog {
  const catalog = read.get(id) ?? readFixture(id)
  read.set(id, catalog)
  return { ...catalog, ...changes }
}

function readFixture(id: string): ServedCatalog {
  const file = (name: string) => ({
    file: name,
    text: readFileSync(new URL(`../fixtures/catalogs/${id}/${name}`, import.meta.url), 'utf8'),
  })
  const reading = readPlasm({ path: id, id, domain: file('domain.yaml'), mappings: file('mappings.yaml') })
  if (!reading.catalog) throw new Error(JSON.stringify(reading.errors, null, 2))
  return reading.catalog
}

export function setOf(...catalogs: readonly ServedCatalog[]): CatalogSet {
  return catalogSet(catalogs.map(pin))
}
