import { isStop, isWeak, kindOfVerb, spelledOut, synonymsOf } from './lexicon.ts'
import { stem } from './stem.ts'

/** A word of a goal with everything that it may be called in a catalog. */
export interface Word {
  /** The stem as index and goal share it. */
  readonly stem: string
  /** As the goal has it, in lower case. */
  readonly typed: string
  /** Stems of what else people call the same thing. */
  readonly synonyms: readonly string[]
  /** Tells what to do, not with what: every API creates and lists, so that a verb alone fits nothing. */
  readonly verb: boolean
  /** A name or a value: somebody, some place, `PROJ-118`. It is missed nowhere. */
  readonly literal: boolean
  /** Which part of the goal it first stands in: `find the bug, then tell the team` has two. */
  readonly clause: number
  /** How much it counts: 1 for a word that tells things apart. */
  readonly weight: number
}

/** More words than this are no longer a goal. */
const MOST_WORDS = 64
/** Longer pieces are no words. */
const LONGEST_WORD = 64

const VERB_WEIGHT = 0.35
const WEAK_WEIGHT = 0.5

/** The words of a text as typed, in lower case: `GitHub's issues` gives `github`, `s`, `issues`. */
export function rawWords(text: string): string[] {
  return pieces(text.toLowerCase())
}

/** The stems of a text, camel case and snake case split; a name that was split is there in one piece, too. */
export function stems(text: string): string[] {
  return pieces(text).flatMap((piece) => {
    const parts = splitCamel(piece)
    return (parts.length > 1 ? [...parts, piece] : parts).map((part) => stem(part.toLowerCase()))
  })
}

/** The stems of a name's parts: `PullRequest` gives `pull`, `request`. */
export function nameStems(name: string): string[] {
  return pieces(name).flatMap((piece) => splitCamel(piece).map((part) => stem(part.toLowerCase())))
}

/** Words that begin another part of a goal. */
const CONJUNCTIONS = new Set(
  'and then when whenever if after before while but so once as for because since via without'.split(' '),
)

/** The words of a goal that can tell one entity from another, each once. */
export function wordsOf(goal: string): Word[] {
  const found = new Map<string, Word>()
  for (const { piece, noun, literal, clause } of partsOf(goal)) {
    const parts = splitCamel(piece)
    for (const part of (parts.length > 1 ? [...parts, piece] : parts).flatMap((one) =>
      spelledOut(one.toLowerCase()),
    )) {
      if (found.size >= MOST_WORDS) return [...found.values()]
      if (part.length < 2 || isStop(part)) continue
      const root = stem(part)
      if (!found.has(root)) found.set(root, { ...wordOf(root, part, noun), literal, clause })
    }
  }
  return [...found.values()]
}

function wordOf(root: string, typed: string, noun: boolean): Omit<Word, 'literal' | 'clause'> {
  // Goals are told in the imperative: `generation` and `moves` are no verbs, though their stems are those of verbs.
  const kind = noun || /(?:ion|ment|[^s]s)$/.test(typed) ? undefined : kindOfVerb(root)
  const weight = kind !== undefined ? VERB_WEIGHT : isWeak(typed) || isWeak(root) ? WEAK_WEIGHT : 1
  const kinds = kind === undefined || kind === '' || kind === root ? [] : [kind]
  return { stem: root, typed, synonyms: [...synonymsOf(root), ...kinds], verb: kind !== undefined, weight }
}

/** Words that a noun follows: `the file`, where `file` alone is what to do. */
const DETERMINERS = new Set(
  'a an the my our your his her its their this that these those each every all any some no of in on from with by per'.split(
    ' ',
  ),
)

interface Part {
  readonly piece: string
  /** It stands where a noun stands: after `the`, or after what to do with it. */
  readonly noun: boolean
  readonly literal: boolean
  readonly clause: number
}

/** What marks names and values: digits, addresses, paths, `#channel`, `example.com`. */
const VALUE = /[\p{N}@#/\\]|\p{L}\.\p{L}/u
/** Words in quotation marks, a title or a text to look for. */
const QUOTED = /(?<!\S)(?:"[^"]{1,200}"|“[^”]{1,200}”|'[^']{1,200}'|‘[^’]{1,200}’|`[^`]{1,200}`)/gu
/** A name in the middle of a sentence; `PDF` and `CPUs` are kinds of things. */
const NAME = /^\p{Lu}\p{Ll}/u

/** The words of a goal as typed, each with the part of the goal that it stands in. */
function partsOf(goal: string): Part[] {
  const quotes = [...goal.matchAll(QUOTED)].map(({ 0: { length }, index }) => ({
    index,
    end: index + length,
  }))
  const tokens = [...goal.matchAll(/\S+/gu)]
  // Where most words begin with a capital, capitals say nothing.
  const capitals = tokens.filter(([token]) => NAME.test(token)).length * 2 <= tokens.length
  let clause = 0
  let starts = true
  let noun = false
  const parts: Part[] = []
  for (const { 0: token, index } of tokens) {
    const value = VALUE.test(token) || quotes.some((quote) => quote.index <= index && index < quote.end)
    if (token.startsWith('(')) clause++
    for (const piece of pieces(token)) {
      if (CONJUNCTIONS.has(piece.toLowerCase())) clause++
      parts.push({ piece, noun, literal: value || (capitals && !starts && NAME.test(piece)), clause })
      starts = false
      const lower = piece.toLowerCase()
      noun = DETERMINERS.has(lower) || (!noun && kindOfVerb(stem(lower)) !== undefined)
    }
    if (!/[,;:.!?)\u2013\u2014]$|^-+$/.test(token)) continue
    clause++
    noun = false
    starts = !/[,;:]$/.test(token)
  }
  return parts
}

/** Letters and digits in a row, without accents: `Pokémon` and `Pokemon` are one word. */
function pieces(text: string): string[] {
  const found = text
    .normalize('NFKD')
    .replace(/[\u0300-\u036F]/g, '')
    .match(/[\p{L}\p{M}\p{N}]+/gu)
  return (found ?? []).map((piece) => piece.slice(0, LONGEST_WORD))
}

function splitCamel(piece: string): string[] {
  return piece
    .replace(/([\p{Ll}\p{N}])(?=\p{Lu})/gu, '$1 ')
    .replace(/(\p{Lu})(?=\p{Lu}\p{Ll})/gu, '$1 ')
    .split(' ')
}
