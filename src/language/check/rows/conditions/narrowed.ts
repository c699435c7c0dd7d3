import type { Predicate } from '../../../syntax/tree.ts'
import type { CheckedFilter, CheckedNode } from '../../model/checked.ts'
import type { Context } from '../../model/context.ts'
import { visibleEntities } from '../../model/resolve.ts'
import { spotAt } from '../../model/shape.ts'
import { refusesRowless } from '../../rules/rows.ts'
import type { Span } from '../../../../base/diagnostic.ts'
import { filterOn } from './filters.ts'

/** `m{created >= 2026-01-01}`: those rows of a label that meet the conditions. Nothing is sent for them. */
export function checkNarrowed(
  context: Context,
  source: CheckedNode,
  { predicates, span }: { readonly predicates: readonly Predicate[]; readonly span: Span },
): CheckedNode | undefined {
  if (refusesRowless(context, source)) return undefined
  const owner = source.rows.target ?? visibleEntities(context.scope)[0]?.target
  const filters = predicates.map((predicate): CheckedFilter | undefined => {
    const spot = spotAt(context, source.rows, predicate.field.names, 'condition')
    return spot && owner && filterOn(context, owner, predicate, spot)
  })
  const known = filters.filter((filter) => filter !== undefined)
  if (known.length < filters.length) return undefined
  return { kind: 'filter', source, filters: known, rows: { ...source.rows, shape: 'many' }, span }
}
