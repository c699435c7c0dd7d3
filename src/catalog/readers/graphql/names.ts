import { firstFree } from '../../../base/free-name.ts'

/** The words of a name in lower case: `createIssueComment` gives `create`, `issue`, `comment`. */
export function wordsOf(name: string): readonly string[] {
  return name
    .replace(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1_$2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1_$2')
    .toLowerCase()
    .split('_')
    .filter((word) => word !== '')
}

export function snakeCase(name: string): string {
  return wordsOf(name).join('_')
}

export function camelCase(name: string): string {
  return wordsOf(name)
    .map((word, at) => (at === 0 ? word : word.charAt(0).toUpperCase() + word.slice(1)))
    .join('')
}

export function pascalCase(name: string): string {
  const camel = camelCase(name)
  return camel.charAt(0).toUpperCase() + camel.slice(1)
}

/** A word without the usual plural endings, so that `issues` and `Issue` compare equal. */
function stem(word: string): string {
  return word
    .replace(/ies$/, 'y')
    .replace(/(?<=s|x|ch|sh)es$/, '')
    .replace(/s$/, '')
}

/**
 * What remains of a name without the words of an entity, at its start or its end, in singular or plural: `openIssues` of
 * `Issue` gives `open`. Undefined if the name does not contain them there.
 */
export function without(name: string, entity: string): readonly string[] | undefined {
  const words = wordsOf(name)
  const own = wordsOf(entity).map(stem)
  const fits = (part: readonly string[]) =>
    part.length === own.length && part.every((word, at) => stem(word) === own[at])
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
