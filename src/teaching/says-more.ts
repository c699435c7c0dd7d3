import type { Capability, Entity } from '../catalog/model.ts'

/** Does the description add anything to the row of the capability and the entity's name? */
export function saysMore({ label, name, parameters, description = '' }: Capability, entity: Entity): boolean {
  const known = wordsOf([label, name, entity.name, ...parameters.map((one) => one.name)].join(' '))
  return [...wordsOf(description)].some((word) => !FILLERS.has(word) && !known.has(word))
}

// Words that add no information to the row.
const FILLERS = wordsOf(
  'a all an and any api as at be by can existing fetch filter find for from get in into is it its list new of on one optional or retrieve return search set single that the this to used to with word',
)

function wordsOf(text: string): ReadonlySet<string> {
  const words =
    text
      .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z]+/g) ?? []
  return new Set(words.map((word) => word.replace(/(?:ed|es|s)$/, '')))
}
