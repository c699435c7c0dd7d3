import type { Catalog } from '../catalog/model.ts'
import { rawWords, stems } from './words.ts'

/** The catalogs that a goal names, by id, each with the stems of the words that name it. */
export type Brands = ReadonlyMap<string, ReadonlySet<string>>

/** A brand has to have this many letters: shorter ids are words of any sentence. */
const BRAND_FROM = 3
/** A brand is at most this many words: `google calendar`. */
const BRAND_WORDS = 4

/** Which of these catalogs the goal names, by id or alias, in one word or several. */
export function brandsIn(goal: string, catalogs: readonly Catalog[]): Brands {
  const phrases = phrasesOf(rawWords(goal))
  const brands = new Map<string, ReadonlySet<string>>()
  for (const { id, aliases } of catalogs) {
    const named = [id, ...aliases].flatMap((name) => {
      const key = rawWords(name).join('')
      return key.length >= BRAND_FROM ? (phrases.get(key) ?? []) : []
    })
    if (named.length > 0) brands.set(id, new Set(stems(named.join(' '))))
  }
  return brands
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
