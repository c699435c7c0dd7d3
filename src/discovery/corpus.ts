import MiniSearch from 'minisearch'
import { once } from '../base/once.ts'
import { Sliced } from '../base/slices/sliced.ts'
import { indexOf, type CatalogSet } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Relation } from '../catalog/model.ts'
import { stem } from '../base/stem.ts'
import { keywords, wordsOf } from '../base/words.ts'

/** The caller's rights: what is hidden contributes no words. */
export interface Visible {
  readonly mayUseCatalog: (catalog: string) => boolean
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
}

/** An entity that can be found. */
export interface Entry {
  readonly at: number
  readonly catalog: Catalog
  readonly entity: Entity
  /** The way to an abstract entity, which has no capabilities: the first relation that reads it. */
  readonly owner?: { readonly entity: Entity; readonly relation: Relation }
  /** Its capabilities, or those of its owner: a caller who may use none of them cannot see it. */
  readonly reachedBy: readonly Capability[]
  /** Its documents: the first is its own, one for each of its capabilities follows. */
  readonly documents: readonly Document[]
}

/** A text of the index: of an entity, or of one of its capabilities. Separate, because rights hide single capabilities. */
export interface Document {
  readonly at: number
  readonly entry: number
  readonly capability?: Capability
}

/** The texts of a set of catalogs. */
export interface Corpus {
  readonly entries: readonly Entry[]
  readonly documents: readonly Document[]
  readonly engine: MiniSearch
  /** A word for each stem. */
  readonly surfaces: ReadonlyMap<string, string>
}

const FIELDS = ['api', 'names', 'operation', 'text', 'slots']
/** How much a match counts by its field. */
const BOOST = { names: 2, api: 2, operation: 1.5, text: 1, slots: 0.5 }

/** The most characters of one text that are indexed: descriptions come from outside. */
const MAX_TEXT_LENGTH = 4096

/** The corpus of a set while it is made, and once it is. */
export const corpusIn = once((set: CatalogSet) => new Sliced(makeCorpus(set)))

/** Documents of one slice: a few milliseconds. */
const SLICE = 100

function* makeCorpus(set: CatalogSet): Generator<void, Corpus> {
  const entries: Entry[] = []
  const documents: Document[] = []
  for (const { catalog } of set.byId.values()) {
    const { capabilitiesOf } = indexOf(catalog)
    const owners = ownersOf(catalog)
    for (const entity of catalog.entities) {
      const capabilities = capabilitiesOf(entity.name)
      const owner = capabilities.length === 0 ? owners.get(entity.name) : undefined
      if (capabilities.length === 0 && !owner) continue
      const own = [undefined, ...capabilities].map((capability, at) => ({
        at: documents.length + at,
        entry: entries.length,
        ...(capability && { capability }),
      }))
      documents.push(...own)
      const reachedBy = owner ? capabilitiesOf(owner.entity.name) : capabilities
      entries.push({
        at: entries.length,
        catalog,
        entity,
        documents: own,
        reachedBy,
        ...(owner && { owner }),
      })
    }
  }
  const surfaces = new Map<string, string>()
  const engine = new MiniSearch<Document>({
    idField: 'at',
    fields: [...FIELDS],
    // The texts are made for the index and not kept.
    extractField: (document, field) => (field === 'at' ? document.at : fieldOf(document, field, entries)),
    tokenize: keywords,
    processTerm: (word) => {
      const root = stem(word)
      if (!surfaces.has(root)) surfaces.set(root, word)
      return root
    },
    searchOptions: { processTerm: stem, boost: BOOST },
  })
  for (let from = 0; from < documents.length; from += SLICE) {
    engine.addAll(documents.slice(from, from + SLICE))
    yield
  }
  return { entries, documents, engine, surfaces }
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

function fieldOf(document: Document, field: string, entries: readonly Entry[]): string {
  const entry = entries[document.entry]
  if (!entry) return ''
  const { catalog, entity } = entry
  const { capability } = document
  switch (field) {
    case 'api':
      return read([catalog.id, ...catalog.aliases])
    case 'names':
      return read([entity.name, ...entity.aliases, ...entity.terms])
    case 'operation':
      return capability ? read([capability.label, ...capability.terms]) : ''
    case 'text':
      return read([(capability ?? entity).description])
    default: {
      const slots = capability?.parameters ?? [...entity.fields, ...entity.relations]
      return read(slots.flatMap(({ name, description }) => [name, description]))
    }
  }
}

/** What a document says in a few words, for its vector. */
export function gistOf({ catalog, entity }: Entry, { capability }: Document): string {
  const name = wordsOf([catalog.id, entity.name].join(' ')).join(' ')
  return capability
    ? read([wordsOf(entity.name).join(' '), capability.label, capability.description])
    : read([name, ...entity.aliases, ...entity.terms, entity.description])
}

function read(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH)
}
