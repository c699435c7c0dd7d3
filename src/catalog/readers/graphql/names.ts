import { firstFree } from '../../../base/free-name.ts'
import { wordsOf } from '../../../base/words/names.ts'
import { singular } from '../../../base/words/singular.ts'

/**
 * What remains of a name without the words of an entity, at its start or its end, in singular or plural: `openIssues` of
 * `Issue` gives `open`. Undefined if the name does not contain them there.
 */
export function without(name: string, entity: string): readonly string[] | undefined {
  const words = wordsOf(name)
  const own = wordsOf(entity).map(singular)
  const fits = (part: readonly string[]) =>
    part.length === own.length && part.every((word, at) => singular(word) === own[at])
  if (fits(words.slice(-own.length))) return words.slice(0, -own.length)
  if (fits(words.slice(0, own.length))) return words.slice(own.length)
  return undefined
}

/** Names that are each given once: a second use gets a number. */
export class UniqueNames {
  readonly #used = new Set<string>()

  take(wanted: string): string {
    const name = firstFree(wanted, (one) => this.#used.has(one))
    this.#used.add(name)
    return name
  }
}
