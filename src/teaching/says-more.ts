import { stem } from '../base/words/stem.ts'
import { nameStems } from '../base/words/words.ts'
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
  const known = new Set(names.flatMap(nameStems))
  const isKnown = (root: string) => FILLERS.has(root) || known.has(root)
  const written = description.match(/[a-z]+/gi) ?? []
  // A brand such as GitHub is one word there and two in its spelling.
  return !written.every((word) => isKnown(stem(word.toLowerCase())) || nameStems(word).every(isKnown))
}

// Words that add no information to the row.
const FILLERS: ReadonlySet<string> = new Set(
  nameStems(
    'a all an and any api as at be by can existing fetch filter find for from get in into is it its list new of on one optional or retrieve return search set single that the this to used to with word',
  ),
)
