import type { GraphQlOperation } from '../../../catalog/calls/graphql-operation.ts'
import { indexOf } from '../../../catalog/lookup.ts'
import type { Catalog, Entity, Field, Type } from '../../../catalog/model.ts'
import type { Invocation } from '../../invocation.ts'

/** What a program asks of the rows of an operation. */
export interface Wanted {
  /** The fields that it uses; undefined: whatever the read gives. */
  readonly needs?: readonly string[] | undefined
  /** Besides these, whatever the read gives. */
  readonly whole?: true
  /** Fields whose referred rows it looks into. */
  readonly joined?: readonly string[]
}

/** Where the fields of a referred entity stand in a field's selection. */
const HOLE = '{*}'

/**
 * The document of a GraphQL operation, which asks the server for what a program asks for. A reference that the program uses
 * asks for the own fields of the referred row, so that its columns need no call of their own; no selection goes deeper.
 */
export function documentOf(operation: GraphQlOperation, invocation: Invocation, wanted: Wanted): string {
  const { head, tail, selects } = operation
  return `${head}${selects ? selectionOf(invocation, wanted) : ''}${tail}`
}

function selectionOf(
  { pinned: { catalog }, capability }: Invocation,
  { needs, whole, joined = [] }: Wanted,
): string {
  const entity = indexOf(catalog).entities.get(capability.entity)
  if (!entity) return TYPENAME
  const used = new Set([...(needs ?? []), ...joined])
  const isAsked = (field: Field) =>
    used.has(field.name) || ((whole === true || needs === undefined) && isUsual(field))
  const asked = entity.fields.filter(isAsked)
  const key = entity.fields.filter(({ name }) => entity.key.includes(name))
  const looked = entity.fields.filter(({ name }) => joined.includes(name))
  const texts = [...new Set([...key, ...asked, ...looked])].flatMap((field) =>
    textOf(field, catalog, used.has(field.name)),
  )
  return texts.length === 0 ? TYPENAME : texts.join(' ')
}

/** A valid selection of an object of which nothing else is wanted. */
const TYPENAME = '__typename'

/** Lists of other rows may be long: they are asked for only where a program uses them. */
function isUsual({ type }: Field): boolean {
  return type.kind !== 'array' || type.items.kind !== 'reference'
}

function textOf({ selection, type }: Field, catalog: Catalog, isLookedInto: boolean): readonly string[] {
  if (selection === undefined) return []
  if (!selection.includes(HOLE)) return [selection]
  const entity = referred(type, catalog)
  if (!entity) return []
  const fields = isLookedInto ? entity.fields : entity.fields.filter(({ name }) => entity.key.includes(name))
  const inner = fields.flatMap(({ selection: own, type: held }) =>
    own === undefined || own.includes(HOLE) || held.kind === 'json' ? [] : [own],
  )
  return [selection.replaceAll(HOLE, `{${inner.length === 0 ? TYPENAME : inner.join(' ')}}`)]
}

function referred(type: Type, catalog: Catalog): Entity | undefined {
  const own = type.kind === 'array' ? type.items : type
  return own.kind === 'reference' ? indexOf(catalog).entities.get(own.entity) : undefined
}
