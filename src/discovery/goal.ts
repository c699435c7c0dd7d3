import { isStop, isWeak, spelledOut, type VerbKind } from './lexicon.ts'
import { sentencesOf, type Placed } from './sentence.ts'
import { stem } from './stem.ts'
import { synonymsOf, widerThan } from './synonyms.ts'
import { splitCamel } from './words.ts'

/** A word of a goal with everything that it may be called in a catalog. */
export interface Word {
  /** The stem as index and goal share it. */
  readonly stem: string
  /** As the goal has it, in lower case. */
  readonly typed: string
  /** Stems of what else people call the same thing. */
  readonly synonyms: readonly string[]
  /** Stems of what it is one of. */
  readonly wider: readonly string[]
  /** A verb: every API creates and lists, so a verb alone matches nothing. */
  readonly verb: VerbKind | undefined
  /** A name or a value: a person, a place, `PROJ-118`. It need not be covered. */
  readonly literal: boolean
  /** Which part of the goal it first stands in: `find the bug, then tell the team` has two. */
  readonly clause: number
  /** Its weight when covered: 1 for what is wanted, less for what qualifies it. */
  readonly weight: number
  /** Its weight when not covered. */
  readonly need: number
}

/** The most words that are read. */
const MAX_WORDS = 64

const VERB_WEIGHT = 0.35
const WEAK_WEIGHT = 0.5
const MODIFIER_WEIGHT = 0.6
/** How much of its weight a word is missed that may be a value as well as a topic. */
const DOUBTFUL = 0.35
const SUBJECT = 0.5

/** Endings of words that say how a thing is, or what happens to it. */
const QUALITY = /(?:.{5}ly|...(?:ful|ous|ive|ible|less|[^aeiou]able|ical|[^e]ed|ing))$/

/** The words of a goal that can tell one entity from another, each once. */
export function wordsOf(goal: string): Word[] {
  const found = new Map<string, Word>()
  for (const placed of sentencesOf(goal)) {
    for (const typed of spelled(placed)) {
      if (found.size >= MAX_WORDS) return [...found.values()]
      if (typed.length < 2 || isStop(typed)) continue
      const word = wordOf(typed, placed)
      const before = found.get(word.stem)
      if (!before || (before.verb && !word.verb)) found.set(word.stem, word)
    }
  }
  return [...found.values()]
}

/** Names in camel case are there in parts and in one piece; short forms are there in full. */
function spelled({ typed, literal }: Placed): string[] {
  const parts = literal ? [typed] : splitCamel(typed)
  return (parts.length > 1 ? [...parts, typed] : parts).flatMap((part) => spelledOut(part.toLowerCase()))
}

function wordOf(typed: string, { literal, clause, role, verb, modifier, noun, subject }: Placed): Word {
  const root = stem(typed)
  const kind = verb === undefined || verb === 'own' ? [] : [stem(verb)]
  const weak = isWeak(typed) || isWeak(root) ? WEAK_WEIGHT : 1
  const weight = verb ? VERB_WEIGHT : role * weak * (modifier ? MODIFIER_WEIGHT : 1)
  const doubtful = modifier || (!noun && QUALITY.test(typed))
  return {
    stem: root,
    typed,
    synonyms: [...synonymsOf(root), ...kind].filter((one) => one !== root),
    wider: widerThan(root),
    verb,
    literal,
    clause,
    weight,
    need: verb || literal ? 0 : weight * (doubtful ? DOUBTFUL : 1) * (subject ? SUBJECT : 1),
  }
}
