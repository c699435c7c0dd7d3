import { once } from '../base/once.ts'
import { Sliced } from '../base/slices/sliced.ts'
import { indexOf, type CatalogSet } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Relation } from '../catalog/model.ts'
import { wordsOf } from '../base/words/names.ts'
import { indexWords, type WordIndex } from './word-index.ts'

/** The caller's rights: what is hidden contributes no words. */
export interface Visible {
  readonly mayUseCatalog: (catalog: string) => boolean
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
}

/**
 * An entity that can be found. Its texts are documents of the index: one of its own, and one for each capability, because rights
 * hide single capabilities.
 */
export interface Entry {
  readonly at: number
  readonly catalog: Catalog
  readonly entity: Entity
  /** The way to an abstract entity, which has no capabilities: the first relation that reads it. */
  readonly owner?: { readonly entity: Entity; readonly relation: Relation }
  /** Its capabilities, or those of its owner: a caller who may use none of them cannot see it. */
  readonly reachedBy: readonly Capability[]
  /** The number of its own document; those of its capabilities follow. */
  readonly first: number
  /** The number of the document after its last. */
  readonly end: number
}

/** The texts of a set of catalogs. Everything has a number; columns by number are read faster than objects. */
export interface Corpus {
  readonly catalogs: readonly Catalog[]
  readonly entries: readonly Entry[]
  /** By entity, the number of its catalog. */
  readonly catalogOf: Uint32Array
  /** By document, the number of its entity. */
  readonly entryOf: Uint32Array
  /** By document, what it describes: undefined if it is the entity itself. */
  readonly capabilityOf: readonly (Capability | undefined)[]
  /** The documents by their words. */
  readonly index: WordIndex
}

/** What is indexed of a document, and how much a word counts in it. */
const FIELDS: readonly {
  readonly boost: number
  readonly of: (entry: Entry, capability?: Capability) => readonly (string | undefined)[]
}[] = [
  { boost: 2, of: ({ catalog }) => [catalog.id, ...catalog.aliases] },
  { boost: 2, of: ({ entity }) => [entity.name, ...entity.aliases, ...entity.terms] },
  { boost: 1.5, of: (_, capability) => (capability ? [capability.label, ...capability.terms] : []) },
  { boost: 1, of: ({ entity }, capability) => [(capability ?? entity).description] },
  {
    boost: 0.5,
    of: ({ entity }, capability) =>
      (capability?.parameters ?? [...entity.fields, ...entity.relations]).flatMap(({ name, description }) => [
        name,
        description,
      ]),
  },
]

/** The most characters of one text that are indexed: descriptions come from outside. */
const MAX_TEXT_LENGTH = 4096

/** The corpus of a set while it is made, and once it is. */
export const corpusIn = once((set: CatalogSet) => new Sliced(makeCorpus(set)))

function* makeCorpus(set: CatalogSet): Generator<void, Corpus> {
  const catalogs: readonly Catalog[] = [...set.byId.values()].map(({ catalog }) => catalog)
  const entries: Entry[] = []
  const capabilityOf: (Capability | undefined)[] = []
  const catalogOf: number[] = []
  for (const [number, catalog] of catalogs.entries()) {
    const { capabilitiesOf } = indexOf(catalog)
    const owners = ownersOf(catalog)
    for (const entity of catalog.entities) {
      const capabilities = capabilitiesOf(entity.name)
      const owner = capabilities.length === 0 ? owners.get(entity.name) : undefined
      if (capabilities.length === 0 && !owner) continue
      const reachedBy = owner ? capabilitiesOf(owner.entity.name) : capabilities
      const first = capabilityOf.length
      for (const described of [undefined, ...capabilities]) capabilityOf.push(described)
      const end = capabilityOf.length
      entries.push({ at: entries.length, catalog, entity, reachedBy, first, end, ...(owner && { owner }) })
      catalogOf.push(number)
    }
  }
  const entryOf = new Uint32Array(capabilityOf.length)
  for (const { at, first, end } of entries) entryOf.fill(at, first, end)
  const fields = FIELDS.map(({ boost, of }) => ({
    boost,
    of: (at: number) => {
      const entry = entries[entryOf[at] ?? 0]
      return entry ? read(of(entry, capabilityOf[at])) : ''
    },
  }))
  const index = yield* indexWords(capabilityOf.length, fields)
  return { catalogs, entries, catalogOf: Uint32Array.from(catalogOf), entryOf, capabilityOf, index }
}

/** By target, the first readable relation of an entity that has capabilities. */
function ownersOf(catalog: Catalog): ReadonlyMap<string, NonNullable<Entry['owner']>> {
  const { capabilitiesOf } = indexOf(catalog)
  const owners = new Map<string, NonNullable<Entry['owner']>>()
  for (const entity of catalog.entities) {
    if (capabilitiesOf(entity.name).length === 0) continue
    for (const relation of entity.relations)
      if (relation.via.kind !== 'none' && !owners.has(relation.target))
        owners.set(relation.target, { entity, relation })
  }
  return owners
}

/** Writes what a document says in a few words, for its vector. */
export type Gist = (entry: Entry, capability?: Capability) => string

/** For sums of words: the name of the API once for an entity, as more of it would hide the other words. */
export function gistOf({ catalog, entity }: Entry, capability?: Capability): string {
  const name = wordsOf([catalog.id, entity.name].join(' ')).join(' ')
  return capability
    ? read([wordsOf(entity.name).join(' '), capability.label, capability.description])
    : read([name, ...entity.aliases, ...entity.terms, entity.description])
}

/** For a model of sentences: each names its API. */
export function sentenceOf(entry: Entry, capability?: Capability): string {
  const gist = gistOf(entry, capability)
  return capability ? read([wordsOf(entry.catalog.id).join(' '), gist]) : gist
}

function read(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH)
}
