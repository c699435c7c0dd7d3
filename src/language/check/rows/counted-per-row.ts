import type { Fix } from '../../../base/diagnostic.ts'
import { freeLabel } from '../values/rows-as-value.ts'
import type { CheckedAggregate, CheckedNode } from '../model/checked.ts'
import type { Context } from '../model/context.ts'

/**
 * The fix of an aggregate in a loop, as in `x => _.comments.aggregate(n=count)`: the rows of the loop with the key of the row
 * around, grouped by it on a line of their own. Undefined where the row around has no key, or several results share a line.
 */
export function countedPerRow(
  context: Context,
  source: CheckedNode,
  body: Extract<CheckedNode, { kind: 'aggregate' }>,
): Fix | undefined {
  const key = source.rows.target?.entity.key ?? []
  const [start, expression] = [context.statementStart(), context.expressionStart()]
  const label = [...context.allLabels].find((one) => context.isBeingBound(one))
  if (key.length === 0 || body.by || (label === undefined && start !== expression)) return undefined
  const found = freeLabel(context, ['found', 'rows', 'parts'])
  const fields = new Set(body.columns.flatMap(({ path }) => (path ? [path.join('.')] : [])))
  const columns = [...key.map((name) => `${name}=_.${name}`), ...fields]
  const counted = `${found}.group_by(${[...key, ...body.columns.map(written)].join(', ')})`
  return {
    edits: [
      { span: { start, end: expression }, text: `${found} = ` },
      {
        span: { start: body.source.span.end, end: body.span.end },
        text: `[${columns.join(', ')}]\n${label === undefined ? '' : `${label} = `}${counted}`,
      },
    ],
  }
}

function written({ name, function: called, path }: CheckedAggregate): string {
  return `${name}=${called}${path ? `(${path.join('.')})` : ''}`
}
