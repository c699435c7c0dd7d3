import { isNounToo, isStop, kindOfVerb, roleOf, type FunctionRole, type VerbKind } from './lexicon.ts'
import { stem } from './stem.ts'
import { pieces } from './words.ts'

/** A word of a goal with its position. */
export interface Placed {
  readonly typed: string
  /** A name or a value. */
  readonly literal: boolean
  /** The index of its part of the goal. */
  readonly clause: number
  /** 1 for what is wanted, less for what qualifies it. */
  readonly role: number
  /** The operation, if it is a verb. */
  readonly verb: VerbKind | undefined
  /** It is not the head of its noun phrase: `sales` in `the sales channel`. */
  modifier: boolean
  /** Its position only fits a noun. */
  readonly noun: boolean
  /** Its position fits a person as well as a thing: `does Snorlax have`. */
  readonly subject: boolean
}

/** Weight of a prepositional phrase: `of the team`, `in the channel`. */
const COMPLEMENT = 0.7
/** Weight of a relative clause: `that were never read`. */
const ASIDE = 0.5
/** The most words without meaning before a verb. */
const MAX_SKIPPED = 3

/** Patterns of names and values: digits, addresses, paths, `#channel`, `example.com`. */
const VALUE = /[\p{N}@#/\\]|\p{L}\.\p{L}/u
/** Words in quotation marks, a title or a text to look for. */
const QUOTED = /(?<!\S)(?:"[^"]{1,200}"|“[^”]{1,200}”|'[^']{1,200}'|‘[^’]{1,200}’|`[^`]{1,200}`)/gu
/** A name in the middle of a sentence; `PDF` and `CPUs` are kinds of things. */
const NAME = /^\p{Lu}\p{Ll}/u
const PARTICIPLE = /..(?:ed|en|own|ing)$/
const PLURAL = /[^s]s$/
/** Words that look like verbs of the lexicon but are not: goals are written in the imperative. */
const NO_VERB = /(?:ion|ment|[^s]s)$/

interface Token {
  readonly typed: string
  readonly lower: string
  readonly literal: boolean
  /** The role of a function word. */
  readonly role: FunctionRole | undefined
  /** What ends behind it. */
  readonly ends: 'sentence' | 'part' | undefined
}

/** The context of a word: what precedes it. */
type Before = FunctionRole | 'start' | 'noun' | 'verb'

/** The parser's state within a part of the goal. */
interface Part {
  readonly clause: number
  role: number
  /** It has a noun. */
  told: boolean
  /** It begins with `which` or `what`. */
  asks: boolean
  /** It says when something is to be done. */
  event: boolean
  aside: boolean
  /** The head of the noun phrase so far. */
  head: Placed | undefined
  /** A determiner opened the noun phrase. */
  determined: boolean
  subject: boolean
  before: Before
}

/**
 * Parses the words of a goal by position: English puts what is wanted first, what it belongs to after a preposition, and
 * its qualification after `that` or `whose`; the last word of a noun phrase is its head. Function words and words without
 * content are omitted.
 */
export function sentencesOf(goal: string): Placed[] {
  const tokens = tokensOf(goal)
  const placed: Placed[] = []
  const next = (): Part => partAt((placed.at(-1)?.clause ?? -1) + 1)
  let part = next()
  for (const [at, token] of tokens.entries()) {
    if (begins(tokens, at, part)) part = next()
    if (token.role !== undefined) follow(part, token.role)
    else if (isStop(token.lower)) skip(part)
    else placed.push(place(tokens, at, part))
    if (token.ends === undefined) continue
    if (token.ends === 'sentence' || opens(tokens, at + 1)) part = next()
    else Object.assign(part, { head: undefined, before: 'and' })
  }
  return placed
}

function partAt(clause: number): Part {
  return {
    clause,
    role: 1,
    told: false,
    asks: false,
    event: false,
    aside: false,
    head: undefined,
    determined: false,
    subject: false,
    before: 'start',
  }
}

/** Does another part of the goal begin here? `when`, `and close`, `for each message create a ticket`. */
function begins(tokens: readonly Token[], at: number, { before, aside }: Part): boolean {
  const role = tokens[at]?.role
  if (role === 'subordinate') return at > 0
  if (role === 'and') return opens(tokens, at + 1)
  return before === 'noun' && !aside && kindAt(tokens, at, 'start') !== undefined && takesObject(tokens, at)
}

/** Does a verb follow, or a word that begins another part of a goal? */
function opens(tokens: readonly Token[], from: number): boolean {
  for (let at = from; at < from + MAX_SKIPPED; at++) {
    const token = tokens[at]
    if (!token || token.literal) return false
    if (token.role === 'subordinate') return true
    if (token.role !== undefined && token.role !== 'and') return false
    if (token.role === undefined) {
      if (kindAt(tokens, at, 'start') !== undefined || isAction(tokens, at, 'start')) return true
      if (!isStop(token.lower)) return false
    }
  }
  return false
}

/** Applies a function word, which determines the role of the next words. */
function follow(part: Part, role: FunctionRole): void {
  part.subject = role === 'auxiliary' && part.told
  part.asks ||= role === 'relative' && !part.told
  part.event ||= role === 'subordinate'
  if (part.told && (role === 'preposition' || role === 'auxiliary')) part.role = COMPLEMENT
  if (part.told && role === 'relative') {
    part.aside = true
    part.role = 1
  }
  part.head = undefined
  part.determined = role === 'determiner'
  part.before = role
}

function skip(part: Part): void {
  part.head = undefined
  if (part.before !== 'start') part.before = part.determined ? 'determiner' : 'noun'
}

function place(tokens: readonly Token[], at: number, part: Part): Placed {
  const { typed, lower, literal } = tokens[at] ?? { typed: '', lower: '', literal: true }
  const { clause, head, determined, subject } = part
  const verb = determined ? undefined : kindAt(tokens, at, part.before)
  const noun = verb === undefined && !isAction(tokens, at, part.before)
  const happens = head !== undefined && saysWhatHappens(head.typed.toLowerCase(), lower, part)
  const placed: Placed = {
    typed,
    literal,
    clause,
    role: part.role * (part.aside ? ASIDE : 1),
    verb,
    modifier: happens,
    noun: noun && (determined || head !== undefined),
    subject,
  }
  if (noun && head && !literal && !happens) head.modifier = true
  if (!noun || happens) part.head = undefined
  else if (!literal || !head) part.head = placed
  part.told ||= noun
  part.determined &&= noun
  part.before = noun ? 'noun' : 'verb'
  return placed
}

/** `languages spoken`, `files attached`; in a question, `which skills depend on`; in an event, `when a letter arrives`. */
function saysWhatHappens(noun: string, word: string, { asks, event }: Part): boolean {
  if (PLURAL.test(noun)) return PARTICIPLE.test(word) || (asks && !PLURAL.test(word))
  return event && PLURAL.test(word)
}

/** The operation of a word, if it is a verb of the lexicon in the position of a verb. */
function kindAt(tokens: readonly Token[], at: number, before: Before): VerbKind | undefined {
  const { lower, literal } = tokens[at] ?? { lower: '', literal: true }
  if (literal || NO_VERB.test(lower) || ['determiner', 'preposition', 'verb'].includes(before))
    return undefined
  return isNounToo(lower) && !takesObject(tokens, at) ? undefined : kindOfVerb(stem(lower))
}

/** An unlisted word in the position of a verb: `mute the channel`, `I encounter`. */
function isAction(tokens: readonly Token[], at: number, before: Before): boolean {
  const { lower, literal } = tokens[at] ?? { lower: '', literal: true }
  if (literal || before === 'pronoun') return !literal
  return before === 'start' && !PLURAL.test(lower) && takesObject(tokens, at)
}

function takesObject(tokens: readonly Token[], at: number): boolean {
  const next = tokens[at + 1]
  if (!next || tokens[at]?.ends) return false
  return next.literal || next.role === 'determiner' || next.role === 'pronoun'
}

function tokensOf(goal: string): Token[] {
  const quotes = [...goal.matchAll(QUOTED)].map(({ 0: { length }, index }) => ({
    index,
    end: index + length,
  }))
  const found = [...goal.matchAll(/\S+/gu)]
  // If most words are capitalized, capitals carry no information.
  const capitals = found.filter(([text]) => NAME.test(text)).length * 2 <= found.length
  let starts = true
  return found.flatMap(({ 0: text, index }) => {
    const value = VALUE.test(text) || quotes.some((quote) => quote.index <= index && index < quote.end)
    const ends = endOf(text)
    const tokens = pieces(text).map((typed, at, all): Token => {
      const literal = value || (capitals && !starts && NAME.test(typed))
      const lower = typed.toLowerCase()
      starts = false
      return {
        typed,
        lower,
        literal,
        role: literal ? undefined : roleOf(lower),
        ends: at === all.length - 1 ? ends : undefined,
      }
    })
    starts ||= ends === 'sentence'
    return tokens
  })
}

function endOf(text: string): Token['ends'] {
  if (/[.!?]["')]*$/.test(text)) return 'sentence'
  return /[,;:)\u2013\u2014]$|^-+$/.test(text) ? 'part' : undefined
}
