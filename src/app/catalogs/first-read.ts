import { indexOf } from '../../catalog/lookup.ts'
import { requestOf } from '../../catalog/call.ts'
import type { Capability, Catalog } from '../../catalog/model.ts'

/** What to try first with a new catalog: a read that needs nothing. */
export interface FirstRead {
  readonly goal: string
  readonly entity: string
  /** In a session whose only entity it is. */
  readonly program: string
}

const MAX_ROWS = 3

/** The plainest read of a catalog: a list without required arguments, else a row without a key. */
export function firstRead(catalog: Catalog): FirstRead | undefined {
  const usable = catalog.capabilities.filter(
    (capability) =>
      capability.effect === 'read' &&
      capability.unsupported.length === 0 &&
      (capability.call?.kind === 'graphql' || requestOf(capability)?.method === 'GET') &&
      !capability.parameters.some(({ required }) => required) &&
      !capability.description?.startsWith('Deprecated'),
  )
  const fields = (capability: Capability) =>
    indexOf(catalog).entities.get(capability.entity)?.fields.length ?? 0
  const lists = usable
    .filter(({ kind, label }) => kind === 'query' && label === 'query')
    .toSorted((a, b) => Number(fields(b) > 1) - Number(fields(a) > 1))
  const [list] = lists
  if (list) return { goal: goalOf(list), entity: list.entity, program: `e1.limit(${MAX_ROWS})` }
  const single = usable.find((capability) => {
    const path = capability.call?.kind === 'http' ? capability.call.request.path : undefined
    return capability.kind === 'get' && path?.every(({ type }) => type === 'literal')
  })
  return single && { goal: goalOf(single), entity: single.entity, program: `e1.${single.label}()` }
}

/** A goal that a capability serves. */
export function goalOf({ description, entity }: Capability): string {
  const text = description ?? `read ${entity}`
  return text.length > 80 ? `read ${entity}` : text.charAt(0).toLowerCase() + text.slice(1)
}
