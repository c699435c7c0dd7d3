import type { Capability, Entity } from '../catalog/model.ts'

/** Does the description add anything to the row of the capability and the entity's name? */
export function saysMore({ label, name, parameters, description = '' }: Capability, entity: Entity): boolean {
  return addsTo([label, name, entity.name, ...parameters.map((one) => one.name)], description)
}

/** Does the entity's description add anything to its row: its name, its API and its fields? */
export function isTelling({ name, fields, description = '' }: Entity, catalog: string): boolean {
  return addsTo([name, catalog, ...fields.map((one) => one.name)], description)
}

function addsTo(names: readonly string[], description: string): boolean {
  const known = new Set(names.flatMap(wordsOf))
  const isKnown = (word: string) => FILLERS.has(word) || known.has(word)
  const written = description.match(/[a-z]+/gi) ?? []
  // A brand such as GitHub is one word there and two in its spelling.
  return !written.every((word) => isKnown(stemOf(word)) || wordsOf(word).every(isKnown))
}

// Words that add no information to the row.
const FILLERS: ReadonlySet<string> = new Set(
  wordsOf(
    'a all an and any api as at be by can existing fetch filter find for from get in into is it its list new of on one optional or retrieve return search set single that the this to used to with word',
  ),
)

function wordsOf(text: string): string[] {
  return (text.replaceAll(/([a-z])([A-Z])/g, '$1 $2').match(/[a-z]+/gi) ?? []).map(stemOf)
}

/** The same for `episode` and `episodes`, `brewery` and `breweries`, `create` and `created`. */
function stemOf(word: string): string {
  return word
    .toLowerCase()
    .replace(/ies$/, 'y')
    .replace(/(?:ed|es|s|e)$/, '')
}
