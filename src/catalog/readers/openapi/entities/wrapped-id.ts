import type { Schemas } from '../schema/schemas.ts'
import { isArray } from '../schema/view.ts'
import type { Draft, Use } from './draft.ts'
import { propertiesOf } from './fields.ts'

/**
 * Where a row holds its id, if single rows stand in the member that holds the rows of a list: `{data: {id, …}, permissions}`
 * beside `{data: [{id, …}]}`.
 *
 * @param uses those of the entity
 */
export function idFromOf(
  draft: Draft,
  uses: readonly Use[],
  schemas: Schemas,
): { readonly idFrom?: readonly string[] } {
  const { anchor } = draft
  const id = anchor?.slots.at(-1)
  const shown = propertiesOf(draft, schemas)
  if (!anchor?.isImplicit || anchor.isPart || id === undefined || shown.has(id)) return {}
  const list = uses.find(
    ({ kind, placed: { answer } }) => kind === 'query' && answer.isList && answer.path.length === 1,
  )
  const [member] = list?.placed.answer.path ?? []
  const held = member === undefined ? undefined : shown.get(member)
  if (member === undefined || held === undefined || isArray(schemas.view(held))) return {}
  return { idFrom: [member, id] }
}
