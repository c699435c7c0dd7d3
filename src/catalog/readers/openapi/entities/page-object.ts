import type { CutList } from '../../../model.ts'
import {
  isPageMember,
  LAST_FLAGS,
  MORE_FLAGS,
  NEXT_CURSORS,
  NEXT_URLS,
  plainOf,
  TOTALS,
} from '../capabilities/page-names.ts'
import { isListName, isMeta } from '../schema/located.ts'
import type { Schemas } from '../schema/schemas.ts'
import { isArray, isScalar, type View } from '../schema/view.ts'

/** A list of objects, and what stands beside it: `{items: [...], total, next}`. */
export interface PageObject {
  /** The member that is the list. */
  readonly name: string
  /** One object of it. */
  readonly item: View
  /** The member that shows whether the API has more. */
  readonly cut?: CutList
}

/** Reads an object as a page of a list: its only other members say where in the list it is. Undefined for other objects. */
export function pageObjectOf(view: View, schemas: Schemas): PageObject | undefined {
  if (isArray(view)) return undefined
  const members = [...schemas.properties(view)].map(([name, schema]) => ({
    name,
    view: schemas.view(schema),
  }))
  const [list, more] = members.filter((member) => isArray(member.view))
  if (!list || more || !isListName(list.name)) return undefined
  const others = members.filter((member) => member !== list)
  const item = schemas.view(list.view.items)
  const isRows = !isArray(item) && schemas.properties(item).size > 0
  if (!isRows || !others.every(({ name }) => isMeta(name) || isPageMember(name))) return undefined
  const [cut] = others
    .flatMap(cutOf)
    .toSorted((a, b) => SURENESS.indexOf(a.means) - SURENESS.indexOf(b.means))
  return { name: list.name, item, ...(cut && { cut }) }
}

/** The surest sign first: a number of all rows may count what the caller cannot see. */
const SURENESS: readonly CutList['means'][] = ['more', 'last', 'next', 'total']

function cutOf({ name, view }: { readonly name: string; readonly view: View }): readonly CutList[] {
  const plain = plainOf(name)
  const isFlag = view.types.includes('boolean')
  if (isFlag && MORE_FLAGS.has(plain)) return [{ field: name, means: 'more' }]
  if (isFlag && LAST_FLAGS.has(plain)) return [{ field: name, means: 'last' }]
  if (isFlag || !isScalar(view)) return []
  if (TOTALS.has(plain)) return [{ field: name, means: 'total' }]
  return NEXT_URLS.has(plain) || NEXT_CURSORS.has(plain) ? [{ field: name, means: 'next' }] : []
}
