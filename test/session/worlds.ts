import { catalogSet, type CatalogSet } from '../../src/catalog/lookup.ts'
import { pin } from '../../src/catalog/digest.ts'
import type { ServedCatalog, Entity } from '../../src/catalog/model.ts'
import { addressOf, TEACHING_VERSION } from '../../src/session/identity.ts'
import type { CatalogPick } from '../../src/session/record.ts'
import type { Opening, Present } from '../../src/session/reuse.ts'

/** A catalog whose entities have an id and nothing else. */
export function catalogOf(id: string, entities: readonly string[], version = 1): ServedCatalog {
  return {
    id,
    version,
    origin: 'http://127.0.0.1',
    otherOrigins: [],
    aliases: [],
    entities: entities.map(entityOf),
    capabilities: [],
    auth: { scheme: 'none' },
    unsupported: [],
  }
}

function entityOf(name: string): Entity {
  return {
    name,
    key: ['id'],
    implicitIdentity: false,
    abstract: false,
    aliases: [],
    fields: [{ name: 'id', type: { kind: 'string', semantics: 'short' }, required: true, path: ['id'] }],
    relations: [],
    terms: [],
  }
}

const SCOPE = ['local']
const SECRET = 'a secret of this deployment'
export const ROW_LIFE_MS = 1000
export const RECORD_LIFE_MS = 100_000

export function setOf(...catalogs: readonly ServedCatalog[]): CatalogSet {
  return catalogSet(catalogs.map(pin))
}

/** An opening of `api:Entity` picks under the set's digests. */
export function openingOf(
  set: CatalogSet,
  names: readonly string[],
  changes: Partial<Opening> = {},
): Opening {
  const byCatalog = new Map<string, string[]>()
  for (const name of names) {
    const [catalog = '', entity = ''] = name.split(':')
    byCatalog.set(catalog, [...(byCatalog.get(catalog) ?? []), entity])
  }
  const picks: CatalogPick[] = [...byCatalog]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([catalog, entities]) => ({
      catalog,
      digest: set.byId.get(catalog)?.digest ?? '',
      lens: 'all',
      entities: [...new Set(entities)].toSorted(),
    }))
  return {
    address: addressOf(SECRET, SCOPE, 'goal'),
    scope: SCOPE,
    intent: 'goal',
    delegated: null,
    picks,

    ...changes,
  }
}

export function presentOf(set: CatalogSet, now = 0, changes: Partial<Present> = {}): Present {
  return {
    now,
    teachingVersion: TEACHING_VERSION,
    digestOf: (catalog) => set.byId.get(catalog)?.digest,
    hasEntity: (catalog, entity) =>
      set.byId.get(catalog)?.catalog.entities.some(({ name }) => name === entity) ?? false,
    rowLifeMs: ROW_LIFE_MS,
    recordLifeMs: RECORD_LIFE_MS,
    newCommit: () => `commit at ${now}`,
    sessionOf: (generation) => `session ${generation}`,
    ...changes,
  }
}
