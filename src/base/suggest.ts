import { wordsOf } from './words/names.ts'
import { singular } from './words/singular.ts'

/** Longer names are not compared: they are not typing mistakes. */
const LONGEST = 128

/**
 * Suggests corrections of a wrong name: at most `most` of the valid names that differ by case or by a few letters (at most
 * a third of the name, and at least 1; per word if the numbers of words are equal), nearest first. Ties are in code-unit
 * order, so that the answer is stable.
 */
export function nearest(wrong: string, options: Iterable<string>, most = 3): string[] {
  return slips(wrong, new Set(options))
    .slice(0, most)
    .map(({ option }) => option)
}

/** Whether it is probably a misspelt form of one of the names; those that differ only by a number (`heading_2`) are others. */
export function isMisspelt(name: string, names: Iterable<string>): boolean {
  const withoutDigits = (one: string) => one.replaceAll(/\d+/g, '0')
  return nearest(name, names).some((near) => withoutDigits(near) !== withoutDigits(name))
}

/** Like `nearest`; adds names that share words with the wrong one: `label_ids` and `label` for `labels`. */
export function related(wrong: string, options: Iterable<string>, most = 3): string[] {
  const names = [...new Set(options)]
  const near = nearest(wrong, names, most)
  if (near.length === most) return near
  return [...near, ...akin(wrong, names).filter((option) => !near.includes(option))].slice(0, most)
}

/** The one nearest correction of the wrong name; undefined if there is none or two are equally near. */
export function standsOut(wrong: string, options: Iterable<string>): string | undefined {
  const [best, second] = slips(wrong, new Set(options))
  return best && (second === undefined || best.distance < second.distance) ? best.option : undefined
}

/** The options that are a slip away from the wrong name, nearest first. */
function slips(wrong: string, options: Iterable<string>): readonly Slip[] {
  const target = wrong.toLowerCase()
  const farthest = mostEdits(target)
  const words = singularsOf(wrong)
  const found: Slip[] = []
  for (const option of options) {
    const distance = option === wrong ? 0 : editDistance(target, option.toLowerCase(), farthest)
    if (distance <= farthest && (distance < 2 || haveSameWords(words, singularsOf(option))))
      found.push({ option, distance })
  }
  return found.toSorted((a, b) => a.distance - b.distance || (a.option < b.option ? -1 : 1))
}

interface Slip {
  readonly option: string
  readonly distance: number
}

function mostEdits(name: string): number {
  return Math.max(1, Math.floor(name.length / 3))
}

/** `last_page` is no typo of `last_name`: the numbers of words are equal, and one word is different. */
function haveSameWords(words: readonly string[], others: readonly string[]): boolean {
  if (words.length !== others.length) return true
  return words.every((word, index) => {
    const most = mostEdits(word)
    return editDistance(word, others[index] ?? '', most) <= most
  })
}

/** The names that share words with the wrong one: first those that contain all of its words, then by number shared. */
function akin(wrong: string, options: readonly string[]): readonly string[] {
  if (wrong.length > LONGEST) return []
  const words = new Set(singularsOf(wrong))
  const found: { readonly option: string; readonly rank: number }[] = []
  for (const option of options) {
    if (option.length > LONGEST) continue
    const others = new Set(singularsOf(option))
    const shared = [...words].filter((word) => others.has(word)).length
    const begun = [...words].filter((word) => !others.has(word) && beginsOneOf(word, others)).length
    if (shared + begun === 0) continue
    const isWhole = shared + begun === words.size || shared === others.size
    // More shared words are nearer, then fewer others.
    found.push({ option, rank: (isWhole ? 0 : 1000) - 10 * shared - 5 * begun + words.size + others.size })
  }
  return found
    .toSorted((a, b) => a.rank - b.rank || (a.option < b.option ? -1 : 1))
    .map(({ option }) => option)
}

/** `stat` and `desc` abbreviate words. */
function beginsOneOf(word: string, others: ReadonlySet<string>): boolean {
  return word.length > 2 && [...others].some((other) => other.startsWith(word))
}

/** `labelIds` and `label_id` consist of the same words. */
function singularsOf(name: string): readonly string[] {
  return wordsOf(name).map(singular)
}

/** The optimal string alignment distance; stops with `limit + 1` as soon as it exceeds the limit. */
export function editDistance(a: string, b: string, limit: number): number {
  if (a.length > LONGEST || b.length > LONGEST || Math.abs(a.length - b.length) > limit) return limit + 1
  let before: number[] = []
  let row = Array.from({ length: b.length + 1 }, (_, index) => index)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1]
      let cost = Math.min((row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1, (row[j - 1] ?? 0) + (same ? 0 : 1))
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (before[j - 2] ?? 0) + 1)
      next.push(cost)
    }
    if (Math.min(...next) > limit) return limit + 1
    before = row
    row = next
  }
  return row[b.length] ?? limit + 1
}
