import type { Catalog } from '../catalog/model.ts'
import { rawWords, stems } from './words.ts'

/** The catalogs that a goal names, and the words that name them. */
export interface Brands {
  readonly ids: ReadonlySet<string>
  readonly stems: ReadonlySet<string>
}

/** A brand has to have this many letters: shorter ids are words of any sentence. */
const BRAND_FROM = 3
/** A brand is at most this many words: `google calendar`. */
const BRAND_WORDS = 4

/** Which of these catalogs the goal names, by id or alias, in one word or several. */
export function brandsIn(goal: string, catalogs: readonly Catalog[]): Brands {
  const phrases = phrasesOf(rawWords(goal))
  const ids = new Set<string>()
  const named: string[] = []
  for (const catalog of catalogs) {
    for (const name of [catalog.id, ...catalog.aliases]) {
      const key = rawWords(name).join('')
      const phrase = key.length >= BRAND_FROM ? phrases.get(key) : undefined
      if (!phrase) continue
      ids.add(catalog.id)
      named.push(...phrase)
    }
  }
  return { ids, stems: new Set(stems(named.join(' '))) }
}

/** The phrases of a goal, by their words written as one. */
function phrasesOf(words: readonly string[]): ReadonlyMap<string, readonly string[]> {
  const phrases = new Map<string, readonly string[]>()
  for (let at = 0; at < words.length; at++) {
    for (let length = 1; length <= BRAND_WORDS; length++) {
      const phrase = words.slice(at, at + length)
      phrases.set(phrase.join(''), phrase)
    }
  }
  return phrases
}
