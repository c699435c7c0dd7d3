import type { Json } from '../../../base/canonical.ts'
import type { Type } from '../../../catalog/model.ts'
import type { Value } from '../../syntax/tree.ts'
import type { CheckedNode, CheckedValue, Column, Rows } from '../model/checked.ts'
import type { Context } from '../model/context.ts'
import { looseValue } from '../values/values.ts'

/** An object, list, text or number as rows: an object is a row, a list is rows, text a row with `content`. */
export function checkData(context: Context, value: Value): CheckedNode | undefined {
  const checked = looseValue(context, value)
  return checked && { kind: 'data', value: checked, rows: dataRows(checked), span: value.span }
}

/** The rows of literal data: a scalar becomes `content`. */
function dataRows(value: CheckedValue): Rows {
  switch (value.kind) {
    case 'list':
      return {
        shape: 'many',
        single: value.items.length === 1,
        columns: mergedColumns(value.items.map(columnsOf)),
      }
    case 'literal':
      if (Array.isArray(value.value)) {
        const items = value.value as readonly Json[]
        return {
          shape: 'many',
          single: items.length === 1,
          columns: mergedColumns(items.map((item) => columnsOf({ kind: 'literal', value: item }))),
        }
      }
      if (typeof value.value === 'string') return one([{ name: 'content', type: TEXT, brands: [] }])
      return one(columnsOf(value))
    case 'text':
      return one([{ name: 'content', type: TEXT, brands: [] }])
    case 'record':
    case 'integer':
    case 'node':
    case 'cursor':
    case 'hole':
      return one(columnsOf(value))
  }
}

const TEXT: Type = { kind: 'string', semantics: 'short' }

function one(columns: readonly Column[]): Rows {
  return { shape: 'one', single: true, columns }
}

function columnsOf(value: CheckedValue): readonly Column[] {
  if (value.kind === 'record')
    return value.entries.map(([name, held]) => ({ name, type: typeOf(held), brands: [] }))
  if (
    value.kind === 'literal' &&
    value.value !== null &&
    typeof value.value === 'object' &&
    !Array.isArray(value.value)
  ) {
    return Object.entries(value.value).map(([name, held]) => ({
      name,
      type: jsonType(held),
      brands: [],
    }))
  }
  return [{ name: 'content', type: typeOf(value), brands: [] }]
}

function mergedColumns(rows: readonly (readonly Column[])[]): readonly Column[] {
  const merged = new Map<string, Column>()
  for (const column of rows.flat()) {
    const known = merged.get(column.name)
    const same = !known || known.type.kind === column.type.kind
    merged.set(column.name, same ? column : { ...column, type: { kind: 'json' } })
  }
  return [...merged.values()]
}

function typeOf(value: CheckedValue): Type {
  if (value.kind === 'text') return TEXT
  if (value.kind === 'integer') return { kind: 'integer' }
  return value.kind === 'literal' ? jsonType(value.value) : { kind: 'json' }
}

function jsonType(value: Json): Type {
  if (typeof value === 'string') return TEXT
  if (typeof value === 'number') return { kind: Number.isInteger(value) ? 'integer' : 'number' }
  return typeof value === 'boolean' ? { kind: 'boolean' } : { kind: 'json' }
}
