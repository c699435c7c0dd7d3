import { once } from '../base/once.ts'
import type { Catalog } from '../catalog/model.ts'
import type { WordTable } from './embedder.ts'
import { wordsOf } from '../base/words/names.ts'
import { stem } from '../base/words/stem.ts'
import { isStop, nameStems, pieces } from '../base/words/words.ts'

/** The ids of the catalogs that a goal names. */
export type Named = ReadonlySet<string>

/** A name has to have this many letters: shorter ones are words of any sentence. */
const NAME_FROM = 3
/** A name is at most this many words. */
const NAME_WORDS = 5
/** A part of a name has to have this many letters. */
const PART_FROM = 4
/** The most words of a goal that are read for names. */
const MAX_WORDS = 256

/** A run of words of a goal. */
export interface Phrase {
  readonly written: string
  readonly words: readonly string[]
  /** The stems of its words, written as one. */
  readonly joined: string
  /** All words are written with a capital, and the phrase does not only begin a sentence. */
  readonly proper: boolean
}

/** A name of a catalog: the stems of its words, and these written as one. */
interface Name {
  readonly words: readonly string[]
  readonly joined: string
}

const namesOf = once(({ id, aliases }: Catalog): readonly Name[] =>
  [id, ...aliases]
    .flatMap((name) => [nameStems(name), withoutApi(nameStems(name))])
    .map((words) => ({ words, joined: words.join('') }))
    .filter(({ joined }) => joined.length >= NAME_FROM),
)

/** `petstore_api` is the API of `petstore`. */
function withoutApi(words: readonly string[]): readonly string[] {
  return words.at(-1) === 'api' ? words.slice(0, -1) : words
}

/** The catalogs that a goal of these phrases names: by an id or alias in one word or several, or by a proper name that abbreviates or is part of one. */
export function namedIn(phrases: readonly Phrase[], catalogs: readonly Catalog[]): Named {
  const written = new Set(phrases.map(({ joined }) => joined))
  const proper = phrases.filter((phrase) => phrase.proper)
  const isOnly = (word: string) =>
    catalogs.filter((catalog) => namesOf(catalog).some(({ words }) => words.includes(word))).length === 1
  const isMeant = (name: Name) =>
    written.has(name.joined) || proper.some((phrase) => shortens(phrase, name, isOnly))
  return new Set(catalogs.filter((catalog) => namesOf(catalog).some(isMeant)).map(({ id }) => id))
}

/** `New York Times` names `nytimes`; `Teams` names `microsoft-teams`, if no other catalog has that word. */
function shortens(phrase: Phrase, name: Name, isOnly: (word: string) => boolean): boolean {
  const [word = '', ...more] = phrase.words
  if (more.length > 0) return abbreviates(name.joined, phrase.words)
  const root = stem(word)
  return word.length >= PART_FROM && name.words.length > 1 && name.words.includes(root) && isOnly(root)
}

/** The services that a goal of these phrases names, as it writes them: by a proper name, or by a word that is no other word. */
export function servicesIn(phrases: readonly Phrase[], { isService, isWord }: WordTable): string[] {
  return phrases
    .filter(({ proper, words }) => isService(words.join('')) && (proper || !words.every(isWord)))
    .map(({ written }) => written)
}

/** Does the name consist of beginnings of all these words? */
function abbreviates(name: string, words: readonly string[]): boolean {
  const [word, ...rest] = words
  if (word === undefined) return name === ''
  for (let length = word.length; length > 0; length--)
    if (name.startsWith(word.slice(0, length)) && abbreviates(name.slice(length), rest)) return true
  return false
}

/** Runs of a few words of one sentence, none of which begins or ends with a word that says nothing. */
export function phrasesOf(goal: string): Phrase[] {
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
