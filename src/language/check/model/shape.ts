import { describeType } from '../../../catalog/values/value.ts'
import { fieldsOf, keySlotsOf } from '../../../catalog/lookup.ts'
import type { Relation, Slot, Type } from '../../../catalog/model.ts'
import { problem } from '../../problems.ts'
import type { Name } from '../../syntax/tree.ts'
import { brandsOf, entityBrand } from './brands.ts'
import type { Column, Rows, Target } from './checked.ts'
import { kinAt, listed, speakingOf, type Context } from './context.ts'
import { entityIn, nameOf, slotName, SYMBOL, wrongSymbol } from './resolve.ts'

const JSON_TYPE: Type = { kind: 'json' }

/** A place in a row: its path of wire names, and its type. */
export interface Spot {
  readonly path: readonly string[]
  readonly type: Type
  readonly brands: readonly string[]
  /** The path ends at a relation. */
  readonly relation?: Relation
}

/** Rows of an entity as a read gives them. */
export function entityRows(target: Target, shape: Rows['shape'], single = shape === 'one'): Rows {
  return { target, shape, single }
}

/** The value of an empty path: the identity of an entity's row, or the only column of computed rows. */
export function identitySpot(rows: Rows): Spot | undefined {
  if (rows.target) {
    const { entity } = rows.target
    const key = keySlots(rows.target)
    const [only] = key
    const type: Type = only && key.length === 1 ? only.type : { kind: 'reference', entity: entity.name }
    return { path: [], type, brands: [entityBrand(rows.target)] }
  }
  if (rows.columns === 'open' || rows.columns === undefined) return { path: [], type: JSON_TYPE, brands: [] }
  const [only] = rows.columns
  return only && rows.columns.length === 1
    ? { path: [only.name], type: only.type, brands: only.brands }
    : undefined
}

/** The slots that identify a row of the entity, in order. */
export function keySlots({ entity }: Target): readonly Slot[] {
  return keySlotsOf(entity)
}

/** Names that a path into these rows may begin with. */
export function columnNames(rows: Rows): readonly string[] {
  if (rows.columns === 'open') return []
  if (rows.columns) return rows.columns.map((column) => column.name)
  return (rows.target?.entity.fields ?? []).map((field) => field.name)
}

/** What a path in a row is for: a column of a result, a condition, or a value of a call. */
export type PathUse = 'column' | 'condition' | 'value'

/** Resolves a path in a row, or reports its first unknown name. */
export function spotAt(
  context: Context,
  rows: Rows,
  names: readonly Name[],
  use: PathUse = 'column',
): Spot | undefined {
  const [first, ...rest] = names
  if (!first) return identitySpot(rows)
  const column = dottedColumn(rows, names)
  let spot = column ? column.spot : firstSpot(context, rows, first)
  let owner = rows.target
  for (const name of column ? names.slice(column.length) : rest) {
    if (!spot) return undefined
    const inner = innerSpot(context, { spot, owner, use }, name)
    owner = inner?.owner
    spot = inner?.spot
  }
  if (!spot?.relation) return spot
  const key = names.length === 1 ? embeddedKey(rows.target, spot) : undefined
  if (key) return key
  reportRelation(context, { spot, owner: undefined, use }, names.at(-1) ?? first)
  return undefined
}

/** The key of the one row of a relation that the answer holds. */
function embeddedKey(owner: Target | undefined, { path, relation }: Spot): Spot | undefined {
  if (!owner || relation?.via.kind !== 'embedded' || relation.many) return undefined
  const target = entityIn(owner.catalog, owner.digest, relation.target)
  const [key, more] = target?.entity.key ?? []
  return target && key !== undefined && more === undefined ? slotSpot(target, key, path) : undefined
}

/** A place on the way of a path. */
interface Step {
  readonly spot: Spot
  readonly owner: Target | undefined
  readonly use: PathUse
}

/** The rows of a relation are separate; a path can only enter those embedded in an answer. */
function reportRelation(context: Context, { spot, use }: Step, { text, span }: Name): void {
  const params = { name: text, target: spot.relation?.target ?? '', instead: instead(text, use) }
  context.report(problem('relation_as_column', params, { span }))
}

/** What can be written in the place of a relation. */
function instead(name: string, use: PathUse): string {
  switch (use) {
    case 'column':
      return `Follow it instead: \`rows.${name}[fields]\`, or \`rows => _.${name}[field, _.column]\` for columns of both`
    case 'condition':
      return 'Put the condition on a field, or on the rows of the relation'
    case 'value':
      return 'Write the values themselves, or a column: no expression makes a list from a relation'
  }
}

/** The column whose name has dots, as `author.name` of `[author.name]`, that the path begins with; the longest. */
function dottedColumn(
  { columns }: Rows,
  names: readonly Name[],
): { readonly spot: Spot; readonly length: number } | undefined {
  if (!columns || columns === 'open') return undefined
  for (let length = names.length; length > 1; length--) {
    const name = names
      .slice(0, length)
      .map(({ text }) => text)
      .join('.')
    const column = columns.find((one) => one.name === name)
    if (column) return { spot: { path: [name], type: column.type, brands: column.brands }, length }
  }
  return undefined
}

function firstSpot(outer: Context, rows: Rows, name: Name): Spot | undefined {
  if (rows.columns === 'open') return { path: [name.text], type: JSON_TYPE, brands: [] }
  const wire = slotName(outer.scope, name.text, rows.target)
  const { columns } = rows
  const columnOf = (called: string | undefined) => columns?.find((one) => one.name === called)
  const column = columnOf(wire) ?? (wire === 'key' ? columnOf(rows.groupedBy) : undefined)
  if (column) return { path: [column.name], type: column.type, brands: column.brands }
  if (!rows.columns && rows.target && wire !== undefined) {
    const spot = slotSpot(rows.target, wire, [])
    if (spot) return spot
  }
  const known = [...columnNames(rows), ...(rows.groupedBy === undefined ? [] : ['key'])]
  const of = rows.target ? nameOf(outer.scope, rows.target) : 'a row of this step'
  const context = rows.target ? speakingOf(outer, rows.target) : outer
  if (SYMBOL.test(name.text) && wire === undefined)
    context.report(wrongSymbol(context.scope, name, `a field of ${of}`))
  else
    context.report(() =>
      problem(
        'unknown_field',
        { name: name.text, of, known: listed(known) },
        kinAt(name.span, name.text, known),
      ),
    )
  return undefined
}

function slotSpot(target: Target, wire: string, before: readonly string[]): Spot | undefined {
  const field = fieldsOf(target.entity).get(wire)
  if (field) return { path: [...before, wire], type: field.type, brands: brandsOf(target, field) }
  const relation = target.entity.relations.find((one) => one.name === wire)
  if (!relation) return undefined
  const reference: Type = { kind: 'reference', entity: relation.target }
  return {
    path: [...before, wire],
    type: relation.many ? { kind: 'array', items: reference } : reference,
    brands: relation.many ? [] : [`${target.catalog.id} ${relation.target}`],
    relation,
  }
}

function innerSpot(
  context: Context,
  { spot, owner, use }: Step,
  name: Name,
): { readonly spot: Spot; readonly owner?: Target } | undefined {
  if (spot.relation && spot.relation.via.kind !== 'embedded') {
    reportRelation(context, { spot, owner: undefined, use }, { ...name, text: spot.relation.name })
    return undefined
  }
  const type = spot.type.kind === 'array' ? spot.type.items : spot.type
  if (spot.type.kind === 'array' && /^\d+$/.test(name.text))
    return { spot: { ...spot, path: [...spot.path, name.text], type }, ...(owner && { owner }) }
  if (type.kind === 'json') return { spot: { path: [...spot.path, name.text], type: JSON_TYPE, brands: [] } }
  if (type.kind === 'reference' && owner) {
    const next = entityIn(owner.catalog, owner.digest, type.entity)
    const wire = next && slotName(context.scope, name.text, next)
    const inner = next && wire !== undefined ? slotSpot(next, wire, spot.path) : undefined
    if (inner && next) return { spot: inner, owner: next }
    const known = next ? columnNames(entityRows(next, 'one')) : []
    context.report(() =>
      problem(
        'unknown_field',
        { name: name.text, of: type.entity, known: listed(known) },
        kinAt(name.span, name.text, known),
      ),
    )
    return undefined
  }
  if (type.kind === 'object') {
    const field = type.fields.find((one) => one.name === name.text)
    if (field)
      return {
        spot: { path: [...spot.path, field.name], type: field.type, brands: [] },
        ...(owner && { owner }),
      }
    if (type.open) return { spot: { path: [...spot.path, name.text], type: JSON_TYPE, brands: [] } }
  }
  const known = type.kind === 'object' ? type.fields.map((field) => field.name) : []
  const of = `\`${spot.path.join('.')}\` (${describeType(spot.type)})`
  context.report(() =>
    problem(
      'unknown_field',
      { name: name.text, of, known: listed(known) },
      kinAt(name.span, name.text, known),
    ),
  )
  return undefined
}

/** The known columns of rows, which a template may use. */
export function knownColumns(rows: Rows): readonly Column[] | undefined {
  if (rows.columns === 'open') return undefined
  if (rows.columns) return rows.columns
  const { target } = rows
  return target?.entity.fields.map((field) => ({
    name: field.name,
    type: field.type,
    brands: brandsOf(target, field),
  }))
}
