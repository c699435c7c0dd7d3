import MiniSearch from 'minisearch'
import { once } from '../base/once.ts'
import { indexOf, type CatalogSet } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity } from '../catalog/model.ts'
import { nameStems, stems } from './words.ts'

/** A document of the index: an entity, or one of its capabilities. Separate, so that hidden ones contribute no words. */
export interface Document {
  readonly id: number
  readonly catalog: Catalog
  readonly entity: Entity
  readonly capability?: Capability
  /** The entity's names. */
  readonly names: string
  /** The names of its parts and operations: fields, relations, labels, parameters. */
  readonly parts: string
  /** Its descriptions. */
  readonly text: string
}

const FIELDS = ['names', 'parts', 'text'] as const

/** The words of a set of catalogs. */
export interface SearchIndex {
  readonly engine: MiniSearch<Document>
  readonly documents: readonly Document[]
}

/** The most characters of a description's first sentence that count as a definition. */
const DEFINITION = 100
/** The most characters of one text that are indexed: descriptions come from outside. */
const MAX_TEXT_LENGTH = 4096

/** The index of a set, built on first use. */
export const searchIndexOf = once(makeIndex)

/** The stems of each name of an entity: its own, aliases, terms. */
export const namesOf = once((entity: Entity): readonly (readonly string[])[] =>
  [entity.name, ...entity.aliases, ...entity.terms].map(nameStems).filter(({ length }) => length > 0),
)

function makeIndex(set: CatalogSet): SearchIndex {
  const documents: Document[] = []
  for (const { catalog } of set.byId.values()) {
    const { capabilitiesOf } = indexOf(catalog)
    for (const entity of catalog.entities) {
      documents.push(documentOfEntity(documents.length, catalog, entity))
      for (const capability of capabilitiesOf(entity.name)) {
        documents.push(documentOfCapability(documents.length, catalog, entity, capability))
      }
    }
  }
  const engine = new MiniSearch<Document>({
    fields: [...FIELDS],
    tokenize: stems,
    // The index stores stems in lower case; the query's terms are stems already.
    processTerm: (term) => term,
    searchOptions: { tokenize: (query) => query.split(' ') },
  })
  engine.addAll(documents)
  return { engine, documents }
}

function documentOfEntity(id: number, catalog: Catalog, entity: Entity): Document {
  const slots = [...entity.fields, ...entity.relations]
  return {
    id,
    catalog,
    entity,
    names: read([entity.name, ...entity.aliases, ...entity.terms]),
    parts: read([definitionOf(entity), ...slots.map(({ name }) => name)]),
    text: read([entity.description, ...slots.map(({ description }) => description)]),
  }
}

/** The first sentence of a description. */
function definitionOf({ description }: Entity): string | undefined {
  return description?.slice(0, DEFINITION).split(/[.;:]\s/, 1)[0]
}

function documentOfCapability(
  id: number,
  catalog: Catalog,
  entity: Entity,
  capability: Capability,
): Document {
  const { kind, label, parameters, terms } = capability
  return {
    id,
    catalog,
    entity,
    capability,
    names: read(terms),
    parts: read([kind, label, ...parameters.map(({ name }) => name)]),
    text: read([capability.description, ...parameters.map(({ description }) => description)]),
  }
}

function read(texts: readonly (string | undefined)[]): string {
  return texts
    .filter((text) => text !== undefined)
    .join(' ')
    .slice(0, MAX_TEXT_LENGTH)
}
