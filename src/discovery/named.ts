import type { Catalog } from '../catalog/model.ts'
import type { Embedder } from './embedder.ts'
import { stem } from '../base/stem.ts'
import { isStop, nameStems, pieces, wordsOf } from '../base/words.ts'

/** The ids of the catalogs that a goal names, each with the stems of the words that name it. */
export type Named = ReadonlyMap<string, ReadonlySet<string>>

/** A name has to have this many letters: shorter ones are words of any sentence. */
const NAME_FROM = 3
/** A name is at most this many words. */
const NAME_WORDS = 5
/** A part of a name has to have this many letters. */
const PART_FROM = 4
/** The most words of a goal that are read for names. */
const MAX_WORDS = 256

/** A run of words of a goal. */
interface Phrase {
  readonly written: string
  readonly words: readonly string[]
  /** The stems of its words, written as one. */
  readonly joined: string
  /** All words are written with a capital, and the phrase does not only begin a sentence. */
  readonly proper: boolean
}

/** The catalogs that the goal names: by an id or alias in one word or several, or by a proper name that abbreviates or is part of one. */
export function namedIn(goal: string, catalogs: readonly Catalog[]): Named {
  const phrases = phrasesOf(goal)
  const names = new Map(
    catalogs.map(({ id, aliases }) => [
      id,
      [id, ...aliases].map(nameStems).filter(({ length }) => length > 0),
    ]),
  )
  const shared = countsOf([...names.values()].map((own) => new Set(own.flat())))
  const named = new Map<string, ReadonlySet<string>>()
  for (const [id, own] of names) {
    const meant = phrases.filter((phrase) => own.some((name) => bears(name, phrase, shared)))
    if (meant.length > 0) named.set(id, new Set(meant.flatMap(({ words }) => words.map(stem))))
  }
  return named
}

/** The services that the goal names, as it writes them: by a proper name, or by a word that is no other word. */
export function servicesIn(goal: string, { isService, isWord }: Embedder): string[] {
  return phrasesOf(goal)
    .filter(({ proper, words }) => isService(words.join('')) && (proper || !words.every(isWord)))
    .map(({ written }) => written)
}

function bears(
  name: readonly string[],
  { words, joined, proper }: Phrase,
  shared: ReadonlyMap<string, number>,
): boolean {
  const whole = name.join('')
  if (whole.length < NAME_FROM) return false
  if (joined === whole) return true
  if (!proper) return false
  // `New York Times` names `nytimes`; `Teams` names `microsoft-teams`, if no other catalog has that word.
  if (words.length > 1) return abbreviates(whole, words)
  const [word = ''] = words
  return (
    word.length >= PART_FROM && name.length > 1 && name.includes(stem(word)) && shared.get(stem(word)) === 1
  )
}

/** Does the name consist of beginnings of all these words? */
function abbreviates(name: string, words: readonly string[]): boolean {
  const [word, ...rest] = words
  if (word === undefined) return name === ''
  for (let length = word.length; length > 0; length--)
    if (name.startsWith(word.slice(0, length)) && abbreviates(name.slice(length), rest)) return true
  return false
}

function phrasesOf(goal: string): Phrase[] {
  const phrases: Phrase[] = []
  for (const sentence of goal.split(/[.!?\n]\s/)) {
    const words = pieces(sentence).slice(0, MAX_WORDS).map(wordOf)
    for (let from = 0; from < words.length; from++) {
      if (words[from]?.stops) continue
      for (let to = from + 1; to <= Math.min(words.length, from + NAME_WORDS); to++) {
        const run = words.slice(from, to)
        if (run.at(-1)?.stops) continue
        phrases.push({
          written: run.map(({ written }) => written).join(' '),
          words: run.map(({ lower }) => lower),
          joined: run.map(({ joined }) => joined).join(''),
          proper: run.every(({ capital }) => capital) && (from > 0 || run.length > 1),
        })
      }
    }
  }
  return phrases
}

/** A word as the phrases need it: made once, as each word is in many phrases. */
function wordOf(written: string) {
  const lower = written.toLowerCase()
  const joined = wordsOf(lower).map(stem).join('')
  return { written, lower, joined, stops: isStop(lower), capital: /^\p{Lu}/u.test(written) }
}

function countsOf(sets: readonly ReadonlySet<string>[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>()
  for (const set of sets) for (const one of set) counts.set(one, (counts.get(one) ?? 0) + 1)
  return counts
}
