import { editDistance } from '../base/suggest.ts'
import type { View } from './view.ts'
import { stem } from '../base/words/stem.ts'
import { isStop, pieces, terms } from '../base/words/words.ts'

/** The most characters of a goal that are read, and the most parts and unknown words. */
const MAX_GOAL_LENGTH = 4096
const MAX_PARTS = 4
const MAX_UNKNOWN = 8
/** Shorter words are not corrected: too many words resemble them. */
const CORRECTED_FROM = 4
/** Words of this length or more may have two typing errors. */
const TWO_ERRORS_FROM = 8

/** Where one part of a goal ends. */
const BREAK = /[,;:.!?()\n]+(?=\s|$)|\b(?:and|then|but|or)\b/i

/** Stems of the verbs that ask for a change. */
const CHANGES = new Set(
  `accept add append approve archive assign ban block book buy cancel change clear close comment copy create delete deploy
  disable draft duplicate edit enable favorite follow forward invite join kick leave like link lock log make mark merge
  message move mute order pause pin place post publish purge put reassign register remove rename reopen reply reschedule
  resolve restart resume revoke schedule send set share star start stop submit subscribe tag transition trash turn unassign
  unfollow unlock unpin unsubscribe untag update upload upvote vote write`
    .split(/\s+/)
    .map(stem),
)

/** The changes that a capability of their own kind makes, by the stems of their verbs. */
const KINDS: ReadonlyMap<string, 'create' | 'delete'> = new Map([
  [stem('create'), 'create'],
  [stem('delete'), 'delete'],
])

/** What the goal asks to change: a part of it begins with such a verb, apart from words like `please`. */
export interface AskedChange {
  /** The kinds of capabilities that it needs, where its verbs say so. */
  readonly kinds: ReadonlySet<'create' | 'delete'>
}

/** Undefined for a goal that only reads. */
export function changeAsked(intent: string): AskedChange | undefined {
  const verbs = intent
    .slice(0, MAX_GOAL_LENGTH)
    .split(BREAK, MAX_PARTS * 2)
    .flatMap((part) => pieces(part).find((word) => !isStop(word.toLowerCase())) ?? [])
    .map((verb) => stem(verb.toLowerCase()))
    .filter((verb) => CHANGES.has(verb))
  if (verbs.length === 0) return undefined
  return { kinds: new Set(verbs.flatMap((verb) => KINDS.get(verb) ?? [])) }
}

export interface Goal {
  /** As it is searched for: with typing errors corrected. */
  readonly text: string
  /** Its parts, if there are several: each may need another API. */
  readonly parts: readonly string[]
}

/**
 * Reads a goal. A word that neither the visible texts nor the language have is replaced by the most similar word of the
 * visible texts.
 */
export function readGoal(intent: string, view: View): Goal {
  const typed = intent.slice(0, MAX_GOAL_LENGTH)
  const unknown = [...new Set(pieces(typed))]
    .filter((word) => word.length >= CORRECTED_FROM && /^\p{L}+$/u.test(word))
    .filter((word) => !isStop(word.toLowerCase()) && !view.table.isWord(word.toLowerCase()))
    .slice(0, MAX_UNKNOWN)
  let text = typed
  for (const word of unknown) {
    const correction = corrected(word.toLowerCase(), view)
    // The word alone: it is letters only, and may be a part of another one.
    const alone = new RegExp(`(?<![\\p{L}\\p{N}])${word}(?![\\p{L}\\p{N}])`, 'gu')
    if (correction !== undefined) text = text.replaceAll(alone, correction)
  }
  const parts = text.split(BREAK, MAX_PARTS * 2).filter((part) => terms(part).length > 0)
  return { text, parts: parts.length > 1 ? parts.slice(0, MAX_PARTS) : [] }
}

/** The most similar word of the visible texts; undefined if they have the word itself, or none that resembles it. */
function corrected(word: string, { corpus: { index }, sees }: View): string | undefined {
  const root = stem(word)
  const most = root.length < TWO_ERRORS_FROM ? 1 : 2
  const similar: { readonly surface: string; readonly distance: number }[] = []
  for (const [other, surface] of index.surfaces) {
    const distance = other[0] === root[0] ? editDistance(root, other, most) : most + 1
    if (distance <= most && index.postingsOf(other).texts.some(sees)) similar.push({ surface, distance })
  }
  const [best] = similar.toSorted((a, b) => a.distance - b.distance || (a.surface < b.surface ? -1 : 1))
  return best?.distance === 0 ? undefined : best?.surface
}
