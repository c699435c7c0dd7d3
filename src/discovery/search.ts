import type { SearchResult } from 'minisearch'
import { indexOf, type CatalogSet } from '../catalog/lookup.ts'
import type { Catalog, Entity } from '../catalog/model.ts'
import { namesOf, searchIndexOf, type Document } from './search-index.ts'
import type { Word } from './goal.ts'

/** The caller's visible entities: hidden ones contribute no words. */
export interface Visible {
  readonly mayUseCatalog: (catalog: string) => boolean
  readonly mayUseCapability: (catalog: string, capability: string) => boolean
}

/** 3 if a word names the entity, 2 if it names a part of it, 1 if a description mentions it. */
export type Level = 1 | 2 | 3

/** How a word of the goal matches an entity. */
export interface Evidence {
  readonly level: Level
  /** The strength of the match, 0 to 1. */
  readonly strength: number
  /** Matched by the goal's own word rather than a synonym. */
  readonly said: boolean
}

/** An entity that some word of the goal matches. */
export interface Find {
  readonly catalog: Catalog
  readonly entity: Entity
  /** By index of the word. */
  readonly evidence: ReadonlyMap<number, Evidence>
  /** The goal contains one of its names in full. */
  readonly named: boolean
  /** The capability that most words match. */
  readonly capability?: string
}

/** A match of a part counts less than half of a match of the name; a mention counts even less. */
const PART = 0.4
const MENTION = 0.2
/** The minimum strength of a match of one word of a longer name. */
const PART_OF_NAME = 0.4
/** The weights of a synonym and of a corrected word, relative to the word itself. */
const SYNONYM = 0.85
const WIDER = 0.6
const CORRECTED = 0.7
/** Shorter words are not corrected: too many words resemble them. */
const CORRECTED_FROM = 5
/** Words of this length or more may have two typing errors; a transposition counts as two. */
const TWO_SLIPS_FROM = 8

/** The matches of one entity so far. */
interface Draft {
  readonly catalog: Catalog
  readonly entity: Entity
  /** The terms that its names match. */
  readonly terms: Set<string>
  /** By index of the word, the closest match of each level. */
  readonly matches: Map<number, Match[]>
  /** By capability, the words that match it. */
  readonly capabilities: Map<string, Set<number>>
}

interface Match {
  readonly level: Level
  readonly term: string
  readonly closeness: number
}

/** A word of the goal that searches for a term. */
interface Asker {
  readonly word: number
  readonly closeness: number
}

type Asked = (term: string) => readonly Asker[]

const LEVELS: Readonly<Record<string, Level>> = { names: 3, parts: 2, text: 1 }

/**
 * The entities that match the words of a goal, in the catalogs that `consider` accepts. A word that none of them knows is
 * treated as a typing error.
 */
export function search(
  set: CatalogSet,
  words: readonly Word[],
  consider: (catalog: string) => boolean,
  visible: Visible,
): Find[] {
  const index = searchIndexOf(set)
  const terms = termsOf(words)
  if (terms.size === 0) return []
  const drafts = new Map<Entity, Draft>()
  const sees = ({ catalog, capability }: Document) =>
    consider(catalog.id) &&
    (capability === undefined || visible.mayUseCapability(catalog.id, capability.name))
  const documentsOf = (results: readonly SearchResult[]) =>
    results.flatMap(({ id, match }) => {
      const document = index.documents[Number(id)]
      return document && sees(document) ? [{ document, match }] : []
    })
  const results = index.engine.search([...terms.keys()].join(' '))
  const known = note(drafts, documentsOf(results), (term) => terms.get(term) ?? [])
  for (const [word, { stem, verb, literal }] of words.entries()) {
    if (known.has(word) || verb || literal || stem.length < CORRECTED_FROM) continue
    const askers = [{ word, closeness: CORRECTED }]
    const fuzzy = stem.length < TWO_SLIPS_FROM ? 1 : 2
    // A corrected word matches names only.
    const guesses = index.engine.search(stem, { fuzzy, fields: ['names'] })
    note(drafts, documentsOf(guesses), (term) => (isSlip(stem, term) ? askers : []))
  }
  const rarity = rarityOf(drafts.values())
  return [...drafts.values()].flatMap((draft) => {
    if (abilitiesOf(draft.catalog, draft.entity, visible) === 0) return []
    const found = findOf(draft, words, rarity)
    return found.evidence.size > 0 ? [found] : []
  })
}

/** The number of the entity's capabilities that the caller may use. */
export function abilitiesOf(catalog: Catalog, entity: Entity, visible: Visible): number {
  return indexOf(catalog)
    .capabilitiesOf(entity.name)
    .filter((capability) => visible.mayUseCapability(catalog.id, capability.name)).length
}

/** Every term to search for, the words themselves and their synonyms, with the words that search for it. */
function termsOf(words: readonly Word[]): ReadonlyMap<string, readonly Asker[]> {
  const terms = new Map<string, Asker[]>()
  const add = (term: string, word: number, closeness: number) => {
    const askers = terms.get(term)
    if (askers) askers.push({ word, closeness })
    else terms.set(term, [{ word, closeness }])
  }
  for (const [at, word] of words.entries()) {
    add(word.stem, at, 1)
    for (const synonym of word.synonyms) add(synonym, at, SYNONYM)
    for (const wide of word.wider) add(wide, at, WIDER)
  }
  return terms
}

/** Adds matches to the drafts of their entities and returns the words that were found. */
function note(
  drafts: Map<Entity, Draft>,
  matches: readonly { readonly document: Document; readonly match: SearchResult['match'] }[],
  asked: Asked,
): ReadonlySet<number> {
  const found = new Set<number>()
  for (const { document, match } of matches) {
    for (const term of Object.keys(match)) {
      const askers = asked(term)
      if (askers.length === 0) continue
      const level = levelOf(match[term] ?? [])
      let draft = drafts.get(document.entity)
      if (!draft) drafts.set(document.entity, (draft = draftOf(document)))
      if (level === 3) draft.terms.add(term)
      for (const { word, closeness } of askers) {
        found.add(word)
        noteMatch(draft, document, word, { level, term, closeness })
      }
    }
  }
  return found
}

function levelOf(fields: readonly string[]): Level {
  let best: Level = 1
  for (const field of fields) {
    const level = LEVELS[field] ?? 1
    if (level > best) best = level
  }
  return best
}

function draftOf({ catalog, entity }: Document): Draft {
  return { catalog, entity, terms: new Set(), matches: new Map(), capabilities: new Map() }
}

function noteMatch(draft: Draft, { capability }: Document, word: number, match: Match): void {
  const matches = draft.matches.get(word)
  if (!matches) draft.matches.set(word, [match])
  else if (!matches.some((old) => old.term === match.term && old.level >= match.level)) matches.push(match)
  if (capability === undefined) return
  const speaking = draft.capabilities.get(capability.name)
  if (speaking) speaking.add(word)
  else draft.capabilities.set(capability.name, new Set([word]))
}

function findOf(
  { catalog, entity, terms, matches, capabilities }: Draft,
  words: readonly Word[],
  rarity: Rarity,
): Find {
  const called = namesOf(entity)
  const evidence = new Map<number, Evidence>()
  for (const [word, found] of matches) {
    for (const match of found) {
      // A verb names an operation: a mention in a description does not count.
      if (match.level === 1 && words[word]?.verb !== undefined) continue
      const strength = strengthOf(match, called, terms, rarity(catalog, word))
      if (strength > (evidence.get(word)?.strength ?? 0))
        evidence.set(word, { level: match.level, strength, said: match.closeness === 1 })
    }
  }
  const named = called.some((parts) => parts.every((part) => terms.has(part)))
  const capability = [...capabilities].toSorted((a, b) => b[1].size - a[1].size)[0]?.[0]
  return { catalog, entity, evidence, named, ...(capability !== undefined && { capability }) }
}

function strengthOf(
  { level, term, closeness }: Match,
  called: readonly (readonly string[])[],
  terms: ReadonlySet<string>,
  rarity: number,
): number {
  if (level === 1) return MENTION * closeness * rarity
  return closeness * (level === 2 ? PART : shareOfName(term, called, terms))
}

/** A match of the whole name counts in full; a match of one word counts by its share of the name. */
function shareOfName(
  term: string,
  called: readonly (readonly string[])[],
  terms: ReadonlySet<string>,
): number {
  const shares = called
    .filter((parts) => parts.includes(term))
    .map((parts) => parts.filter((part) => terms.has(part)).length / parts.length)
  // The joined form of a name, or a term of a capability.
  return shares.length === 0 ? 1 : PART_OF_NAME + (1 - PART_OF_NAME) * Math.max(...shares)
}

type Rarity = (catalog: Catalog, word: number) => number

/** 1 if a single entity of a catalog mentions a word; less the more of its entities do. */
function rarityOf(drafts: Iterable<Draft>): Rarity {
  const counts = new Map<Catalog, Map<number, number>>()
  for (const { catalog, matches } of drafts) {
    const own = counts.get(catalog) ?? new Map<number, number>()
    counts.set(catalog, own)
    for (const word of matches.keys()) own.set(word, (own.get(word) ?? 0) + 1)
  }
  return (catalog, word) =>
    1 - Math.log(counts.get(catalog)?.get(word) ?? 1) / Math.log(2 + catalog.entities.length)
}

/** Words that differ by one transposed, wrong, missing or additional letter, but not in the first letter. */
function isSlip(typed: string, meant: string): boolean {
  const most = Math.min(typed.length, meant.length)
  let start = 0
  while (start < most && typed[start] === meant[start]) start++
  let end = 0
  while (end < most - start && typed.at(-1 - end) === meant.at(-1 - end)) end++
  const wrong = typed.slice(start, typed.length - end)
  const right = meant.slice(start, meant.length - end)
  if (start === 0) return false
  if (wrong.length === 2 && right.length === 2) return wrong[0] === right[1] && wrong[1] === right[0]
  // For words of five letters, one different letter makes another word.
  return wrong.length + right.length <= 2 && (typed.length > CORRECTED_FROM || wrong.length !== right.length)
}
