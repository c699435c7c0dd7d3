import type { Json } from '../../../base/canonical.ts'
import { child, isList, isRecord, scalarText, walk } from '../../../base/json.ts'
import type { CutList, Via } from '../../../catalog/model.ts'
import type { LiveRow } from '../../row.ts'

/**
 * The children of a relation in the parent's own answer, as JSON (objects or ids). Undefined if the answer has no such
 * part; an empty list if it has no children.
 */
export function embeddedChildren(parent: LiveRow, relation: string, via: Via): readonly Json[] | undefined {
  if (parent.raw === undefined) return undefined
  if (via.kind === 'parent') return along(parent.raw, via.path)
  const held = child(parent.raw, relation)
  if (held === undefined) return undefined
  if (held === null) return []
  if (isList(held)) return held.filter(usable)
  return usable(held) ? [held] : undefined
}

/** Whether the parent's answer says that the API has more rows of the relation than it holds. */
export function isCut({ raw }: LiveRow, via: Via): boolean {
  if (via.kind !== 'parent' || !via.cut || raw === undefined) return false
  const path = via.path.filter((part) => typeof part === 'string')
  const rows = walk(raw, path)
  const sign = child(walk(raw, path.slice(0, -1)), via.cut.field)
  return isList(rows) && saysMore(via.cut, sign, rows.length)
}

function saysMore({ means }: CutList, sign: Json | undefined, rows: number): boolean {
  switch (means) {
    case 'more':
      return sign === true
    case 'last':
      return sign === false
    case 'next':
      return sign !== undefined && sign !== null && sign !== '' && sign !== false
    case 'total':
      return typeof sign === 'number' && sign > rows
  }
}

function along(raw: Json, path: Extract<Via, { kind: 'parent' }>['path']): readonly Json[] | undefined {
  let values: readonly Json[] = [raw]
  let said = false
  for (const part of path) {
    const next: Json[] = []
    said = false
    for (const value of values) {
      const held = typeof part === 'string' ? child(value, part) : value
      if (held === undefined) continue
      said = true
      if (held === null) continue
      if (typeof part === 'string') next.push(held)
      else if (isList(held)) next.push(...held)
      else if (isRecord(held)) next.push(...Object.values(held))
    }
    if (!said && values.length > 0) return undefined
    values = next
  }
  return values.flatMap((value) => (isList(value) ? value : [value])).filter(usable)
}

function usable(value: Json): boolean {
  return isRecord(value) || (scalarText(value) ?? '') !== ''
}
