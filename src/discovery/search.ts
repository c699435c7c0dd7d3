import MiniSearch from 'minisearch'
import type { CatalogSet } from '../catalog/lookup.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Capability, Catalog, Entity } from '../catalog/model.ts'
import { stems, type Word } from './words.ts'

/** What the caller may see: what is hidden lends its words to nothing. */
export interface Visible {
  readonly mayUseCatalog: (catalog: string) => boolean
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
}

/** How well an entity fits, and by which words of the intent. */
export interface Hit {
  readonly catalog: Catalog
  readonly entity: Entity
  readonly score: number
  /** The capability that fits best, with its own score. */
  readonly best?: { readonly capability: string; readonly score: number }
  /** By index of the word: 3 where it names the entity, 2 where it names a part of it, 1 where it is only mentioned. */
  readonly evidence: ReadonlyMap<number, number>
  /** The intent holds the whole name of the entity. */
  readonly named: boolean
}

interface Document {
  readonly id: number
  readonly catalog: Catalog
  readonly entity: Entity
  readonly capability?: Capability
  readonly name: string
  readonly terms: string
  readonly parts: string
  readonly text: string
}

/** Field: its weight in the score, and what a word found there proves. */
const FIELDS = {
  name: { boost: 6, strength: 3 },
  terms: { boost: 4, strength: 3 },
  parts: { boost: 1.5, strength: 2 },
  text: { boost: 1, strength: 1 },
} as const

const STRENGTHS = new Map<string, number>(
  Object.entries(FIELDS).map(([field, { strength }]) => [field, strength]),
)

const SYNONYM_WEIGHT = 0.7
const VERB_WEIGHT = 0.35
/** Shorter words are not completed or corrected: too many others look like them. */
const GUESSED_FROM = 5
/** How much of its best capability's score an entity gets. */
const CAPABILITY_SHARE = 0.6

interface Index {
  readonly engine: MiniSearch<Document>
  readonly documents: readonly Document[]
}

const indexes = new WeakMap<CatalogSet, Index>()

/**
 * Every entity of the set that some word of the intent hits, in no particular order. The index is made once for each
 * set and reused; `consider` narrows the catalogs.
 */
export function search(
  set: CatalogSet,
  words: readonly Word[],
  consider: (catalog: string) => boolean,
  visible: Visible,
): Hit[] {
  const { engine, documents } = indexOfSet(set)
  const queried = queryOf(words)
  const found = new Map<Entity, Document[]>()
  const results = new Map<
    Document,
    { readonly score: number; readonly match: Readonly<Record<string, string[]>> }
  >()
  if (queried.size === 0) return []
  for (const result of engine.search([...queried.keys()].join(' '), {
    boost: Object.fromEntries(Object.entries(FIELDS).map(([field, { boost }]) => [field, boost])),
    boostTerm: (term) => queried.get(term)?.weight ?? 1,
    prefix: (term) => queried.get(term)?.guess === true,
    fuzzy: (term) => (queried.get(term)?.guess === true ? 1 : false),
  })) {
    const document = documents[Number(result.id)]
    if (!document || !consider(document.catalog.id) || !isVisible(document, visible)) continue
    results.set(document, result)
    found.set(document.entity, [...(found.get(document.entity) ?? []), document])
  }
  return [...found.values()].flatMap((group) => {
    const [first] = group
    return first && isOffered(first.catalog, first.entity, visible)
      ? [combine(first, group, results, words, queried)]
      : []
  })
}

/** May the caller do anything at all with the entity? */
export function isOffered(catalog: Catalog, entity: Entity, visible: Visible): boolean {
  return indexOf(catalog)
    .capabilitiesOf(entity.name)
    .some((capability) => visible.mayUseCapability(catalog.id, capability.name))
}

function isVisible(document: Document, visible: Visible): boolean {
  return (
    visible.mayUseCatalog(document.catalog.id) &&
    (document.capability === undefined ||
      visible.mayUseCapability(document.catalog.id, document.capability.name))
  )
}

interface Queried {
  readonly weight: number
  readonly guess: boolean
  /** Indexes of the words that ask for this term. */
  readonly words: readonly number[]
}

/** Every term to look for: the words themselves and, at less weight, their synonyms. */
function queryOf(words: readonly Word[]): ReadonlyMap<string, Queried> {
  const terms = new Map<string, Queried>()
  const add = (term: string, word: number, weight: number, guess: boolean) => {
    const known = terms.get(term)
    terms.set(term, {
      weight: Math.max(weight, known?.weight ?? 0),
      guess: guess || known?.guess === true,
      words: [...(known?.words ?? []), word],
    })
  }
  for (const [at, word] of words.entries()) {
    const weight = word.verb ? VERB_WEIGHT : 1
    add(word.stem, at, weight, !word.verb && word.stem.length >= GUESSED_FROM)
    for (const synonym of word.synonyms) add(synonym, at, weight * SYNONYM_WEIGHT, false)
  }
  return terms
}

function combine(
  { catalog, entity }: Document,
  group: readonly Document[],
  results: ReadonlyMap<
    Document,
    { readonly score: number; readonly match: Readonly<Record<string, string[]>> }
  >,
  words: readonly Word[],
  queried: ReadonlyMap<string, Queried>,
): Hit {
  let own = 0
  let best: { capability: string; score: number } | undefined
  const evidence = new Map<number, number>()
  const nameTerms = new Set<string>()
  for (const document of group) {
    const result = results.get(document)
    if (!result) continue
    if (document.capability === undefined) own = result.score
    else if (result.score > (best?.score ?? 0))
      best = { capability: document.capability.name, score: result.score }
    for (const [term, fields] of Object.entries(result.match)) {
      for (const at of askedBy(term, queried)) {
        const strength = Math.max(...fields.map((field) => strengthOf(field, words[at], term, queried)))
        if (strength > (evidence.get(at) ?? 0)) evidence.set(at, strength)
        if (strength === 3 && document.capability === undefined) nameTerms.add(term)
      }
    }
  }
  const names = [entity.name, ...entity.aliases, ...entity.terms]
  const named = names.some((name) => stems(splitOnly(name)).every((part) => nameTerms.has(part)))
  const score = own + CAPABILITY_SHARE * (best?.score ?? 0)
  return { catalog, entity, score, ...(best && { best }), evidence, named }
}

/** The words that a term of a document answers: exactly, as the beginning of it, or but for a slip of the finger. */
function askedBy(term: string, queried: ReadonlyMap<string, Queried>): readonly number[] {
  const exact = queried.get(term)
  if (exact) return exact.words
  return [...queried].flatMap(([asked, { guess, words }]) =>
    guess && (term.startsWith(asked) || (term[0] === asked[0] && Math.abs(term.length - asked.length) <= 1))
      ? words
      : [],
  )
}

function strengthOf(
  field: string,
  word: Word | undefined,
  term: string,
  queried: ReadonlyMap<string, Queried>,
): number {
  const strength = STRENGTHS.get(field) ?? 0
  if (strength === 3) return 3
  // A verb proves nothing but a name, and a guess nothing but a name.
  return word?.verb === true || !queried.has(term) ? 0 : strength
}

/** The name in words, without the joined form that the index holds as well. */
function splitOnly(name: string): string {
  return name.replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
}

function indexOfSet(set: CatalogSet): Index {
  let index = indexes.get(set)
  if (!index) indexes.set(set, (index = makeIndex(set)))
  return index
}

function makeIndex(set: CatalogSet): Index {
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
    fields: Object.keys(FIELDS),
    tokenize: stems,
    // Stems come in lower case; the query's terms are stems already.
    processTerm: (term) => term,
    searchOptions: { tokenize: (query) => query.split(' ') },
  })
  engine.addAll(documents)
  return { engine, documents }
}

function documentOfEntity(id: number, catalog: Catalog, entity: Entity): Document {
  return {
    id,
    catalog,
    entity,
    name: entity.name,
    terms: [...entity.aliases, ...entity.terms].join(' '),
    parts: [...entity.fields, ...entity.relations].map(({ name }) => name).join(' '),
    text: [
      entity.description,
      ...[...entity.fields, ...entity.relations].map(({ description }) => description),
    ].join(' '),
  }
}

function documentOfCapability(
  id: number,
  catalog: Catalog,
  entity: Entity,
  capability: Capability,
): Document {
  return {
    id,
    catalog,
    entity,
    capability,
    name: '',
    terms: capability.terms.join(' '),
    parts: [capability.kind, capability.label, ...capability.parameters.map(({ name }) => name)].join(' '),
    text: [capability.description, ...capability.parameters.map(({ description }) => description)].join(' '),
  }
}
