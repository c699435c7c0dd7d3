import type { Json } from '../../base/canonical.ts'
import { failed, type Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Entity } from '../../catalog/model.ts'
import { coerce } from '../../catalog/values/value.ts'
import type { View, ViewOutput, ViewRelation } from '../../catalog/view.ts'
import { isNothing, sameValue } from '../read/compare.ts'
import { type Invocation, whereOf } from '../invocation.ts'
import { throughout, type Missing, type Stop, worst } from '../completeness.ts'
import { digitsAsText, ownValue, recordOf, scalarText } from '../../base/json.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { asText } from '../http/request/text.ts'
import { renderViewTemplate } from './template.ts'

export type Values = { readonly [name: string]: Json }

/** What a node of a view gave. */
export interface NodeRows {
  readonly rows: readonly LiveRow[]
  readonly missing: Missing | null
  readonly problems: readonly Problem[]
}

/** What kept a view or a node of it from being read. */
export interface Unread {
  readonly ok: false
  readonly problems: readonly Problem[]
  /** Absent where it failed before a call left. */
  readonly why?: Stop
}

/** The row of a view, marked where not all of what it is composed of could be read. */
export type ViewRead =
  | {
      readonly ok: true
      readonly row: LiveRow
      readonly missing: Missing | null
      readonly problems: readonly Problem[]
    }
  | Unread

/** How much of a node's rows the view needs: so many of them, and these fields (everything that is read, if the view does not say). */
export function neededOf(
  { nodes, outputs, relations }: View,
  node: string,
): { readonly wanted: number; readonly needs?: readonly string[] } {
  const values = [...outputs, ...nodes.flatMap(({ bindings }) => bindings)].map(({ value }) => value)
  const own = values.filter((value) => 'node' in value && value.node === node)
  const reached = relations.filter((relation) => relation.node === node)
  const whole =
    own.some(({ kind }) => kind === 'count' || kind === 'histogram' || kind === 'some') ||
    reached.some(({ first, where }) => !first || where !== undefined)
  const fields = [
    ...own.flatMap((value) => ('field' in value ? [value.field] : [])),
    ...reached.flatMap(({ where }) => (where ? [where.field] : [])),
  ]
  // A template of a later node may ask for any field.
  const open = nodes.some(({ bindings }) => bindings.some(({ value }) => value.kind === 'template'))
  return { wanted: whole ? Infinity : 1, ...(!open && { needs: fields }) }
}

/** The row of a view: its fields, its identity, and the rows of its relations. */
export function viewRow(
  view: View,
  invocation: Invocation,
  scope: Values,
  nodes: ReadonlyMap<string, NodeRows>,
): ViewRead {
  const { pinned, capability, identity, arguments: given } = invocation
  const entity = indexOf(pinned.catalog).entities.get(capability.entity)
  if (!entity) throw new Error(`${capability.name} has no entity`)
  const plain = view.outputs.flatMap(({ field, value }) =>
    value.kind === 'template'
      ? []
      : [[field, fitted(entity, field, plainValue(value, scope, nodes))] as const],
  )
  const values = new Map<string, Json>(plain)
  for (const { field, value } of view.outputs) {
    if (value.kind !== 'template') continue
    const rendered = renderViewTemplate(value.template, { ...scope, ...recordOf(plain) })
    if ('reason' in rendered) {
      const reason = `\`${field}\`: ${rendered.reason}`
      return failed([problem('template_wrong', { ...whereOf(invocation), reason })])
    }
    values.set(field, fitted(entity, field, rendered.text))
  }
  const all = [...nodes.values()]
  const missing = throughout(worst(...all.map((node) => node.missing)))
  const inOrder = view.outputs.map(({ field }) => [field, values.get(field) ?? null] as const)
  const own = identityOf(entity, recordOf(inOrder), identity)
  const row: LiveRow = {
    values: recordOf(inOrder),
    ...(own && { identity: own }),
    ambient: given,
    children: new Map(view.relations.map((relation) => [relation.relation, rowsOf(relation, nodes)])),
  }
  return { ok: true, row, problems: all.flatMap(({ problems }) => problems), missing }
}

function plainValue(
  value: Exclude<ViewOutput['value'], { kind: 'template' }>,
  scope: Values,
  nodes: ReadonlyMap<string, NodeRows>,
): Json {
  if (value.kind === 'scope') return ownValue(scope, value.name) ?? null
  const rows = nodes.get(value.node)?.rows ?? []
  switch (value.kind) {
    case 'field':
      return (rows[0] && rowValue(rows[0], [value.field])) ?? null
    case 'count':
      return rows.length
    case 'any':
      return rows.length > 0
    case 'histogram':
      return histogram(rows, value.field)
    case 'some':
      return rows.some((row) => holds(row, value))
  }
}

/** How often each value of the field occurs, as JSON text; rows without a value count nowhere. */
function histogram(rows: readonly LiveRow[], field: string): string {
  const counts = new Map<string, number>()
  for (const row of rows) {
    const value = rowValue(row, [field])
    if (isNothing(value)) continue
    const key = asText(value)
    counts.set(key, (counts.get(key) ?? 0) + 1)
  }
  return JSON.stringify(Object.fromEntries(counts))
}

function holds(row: LiveRow, { field, equals }: { readonly field: string; readonly equals: Json }): boolean {
  const value = rowValue(row, [field])
  return value !== undefined && value !== null && sameValue(value, equals)
}

/** Rendered text is a number or a flag where its field is one. */
function fitted(entity: Entity, field: string, value: Json): Json {
  const type = entity.fields.find(({ name }) => name === field)?.type
  const fit = type && value !== null ? coerce(type, value) : undefined
  return fit?.ok ? digitsAsText(fit.value) : value
}

function identityOf(
  { key }: Entity,
  values: Values,
  requested: Readonly<Record<string, string>> | undefined,
): Readonly<Record<string, string>> | undefined {
  const slots = key.flatMap((slot) => {
    const text = scalarText(values[slot]) ?? requested?.[slot]
    return text === undefined || text === '' ? [] : [[slot, text] as const]
  })
  return slots.length === key.length && slots.length > 0 ? Object.fromEntries(slots) : undefined
}

function rowsOf(
  { node, first, where }: ViewRelation,
  nodes: ReadonlyMap<string, NodeRows>,
): readonly LiveRow[] {
  const rows = nodes.get(node)?.rows ?? []
  const kept = where ? rows.filter((row) => holds(row, where)) : rows
  return first ? kept.slice(0, 1) : kept
}
