import type { CheckedNode } from '../check/model/checked.ts'
import { givesSourceRows } from '../check/model/selections.ts'
import type { Draft, Drafts } from './drafts.ts'
import { leaveToLimit } from './late-fields.ts'
import { representativeOf } from './limit-pushdown.ts'
import type { Argument, Filter, Operand, Operation } from './plan.ts'

/** Notes the use of a node's rows: the value at a path, or only the existence of the row. */
type Use = (id: string, path?: readonly string[]) => void

/**
 * Computes for each draft which fields of its rows later ones use by name, so that only rows that lack one of them are
 * fetched again, and whether its rows are returned whole.
 */
export function noteNeeds({ all, returned }: Drafts): void {
  const byId = new Map(all.map((draft) => [draft.id, representativeOf(draft)]))
  const use: Use = (id, path) => {
    const draft = byId.get(id)
    if (draft) note(draft, path?.[0])
  }
  for (const draft of returned) representativeOf(draft).whole = true
  // Users come after their inputs, so that one pass from the end sees all of them.
  for (const draft of all.toReversed()) if (!draft.mergedInto) noteUses(draft, use)
  for (const { needs, whole, readOptions } of all) {
    if (!needs || (whole && needs.size === 0)) continue
    readOptions.needs = [...needs].toSorted()
    if (whole) readOptions.whole = true
  }
  for (const draft of all) if (!draft.mergedInto) leaveToLimit(draft)
}

function note(draft: Draft, field: string | undefined): void {
  draft.needs ??= new Set()
  if (field !== undefined) draft.needs.add(field)
}

/** A step that passes rows on needs the fields that its users need. */
function passOn({ inputs: [source], needs, whole }: Draft): void {
  if (!source) return
  const before = representativeOf(source)
  if (whole) before.whole = true
  for (const field of needs ?? [undefined]) note(before, field)
}

function noteUses(draft: Draft, use: Use): void {
  const { node, operation } = draft
  usesOf(operation, use)
  if (givesSourceRows(operation)) passOn(draft)
  if (operation.kind === 'project') noteAround(draft, use)
  if (operation.kind === 'relation') for (const field of walkedBy(node)) use(operation.source, [field])
}

/** `_.name` in a projection is read from the rows that the loop or the relation before it goes over. */
function noteAround({ operation, inputs: [before] }: Draft, use: Use): void {
  const around = before && representativeOf(before).operation
  if (operation.kind !== 'project' || !around || !('source' in around) || around.source === undefined) return
  for (const { path } of operation.columns) if (path[0] === '_') use(around.source, path.slice(1))
}

/** Notes the uses of other nodes' rows in an operation. */
export function usesOf(operation: Operation, use: Use): void {
  for (const operand of operandsOf(operation)) noteOperand(operand, use, undefined)
  if ('source' in operation && operation.source !== undefined) use(operation.source)
  switch (operation.kind) {
    case 'sort':
      use(operation.source, operation.path)
      break
    case 'filter':
      for (const { path } of operation.conditions) use(operation.source, path)
      break
    case 'project':
      for (const { path } of operation.columns) if (path[0] !== '_') use(operation.source, path)
      break
    case 'aggregate':
      for (const { path } of operation.by ?? []) use(operation.source, path)
      for (const { path } of operation.columns) use(operation.source, path)
      break
    case 'render':
      for (const column of operation.columns) use(operation.source, column.split('.'))
      break
    case 'reference':
      use(operation.source, [operation.field])
      break
    case 'each':
      for (const operand of operandsOf(operation.body)) noteOperand(operand, use, operation.source)
      break
    case 'limit':
    case 'singleton':
    case 'query':
    case 'get':
    case 'relation':
    case 'reverse':
    case 'call':
    case 'data':
    case 'page':
      break
  }
}

/** The fields of its source that a relation is read by, besides the source's identity. */
function walkedBy(node: CheckedNode): readonly string[] {
  if (node.kind === 'relation' && node.relation.via.kind === 'embedded')
    return node.relation.via.field === undefined ? [] : [node.relation.via.field]
  const bindings =
    node.kind === 'relation' && 'bindings' in node.relation.via ? node.relation.via.bindings : []
  return bindings.flatMap(({ field }) => field ?? [])
}

/** Operands outside of a loop's body. */
function operandsOf(operation: Operation): readonly Operand[] {
  switch (operation.kind) {
    case 'query':
    case 'relation':
    case 'reverse':
      return [...values(operation.arguments), ...values(operation.filters)]
    case 'get':
    case 'call':
      return [...values(operation.identity), ...values(operation.arguments)]
    case 'data':
      return [operation.value]
    case 'filter':
      return values(operation.conditions)
    case 'reference':
    case 'each':
    case 'project':
    case 'limit':
    case 'singleton':
    case 'sort':
    case 'aggregate':
    case 'render':
    case 'page':
      return []
  }
}

function values(held: readonly (Argument | Filter)[]): readonly Operand[] {
  return held.map(({ operand }) => operand)
}

function noteOperand(operand: Operand, use: Use, cursor: string | undefined): void {
  switch (operand.kind) {
    case 'literal':
      break
    case 'node':
      use(operand.node, operand.path)
      break
    case 'cursor':
      if (cursor !== undefined) use(cursor, operand.path)
      break
    case 'text':
      for (const part of operand.parts) if (typeof part !== 'string') noteOperand(part, use, cursor)
      break
    case 'list':
      for (const item of operand.items) noteOperand(item, use, cursor)
      break
    case 'record':
      for (const [, value] of operand.entries) noteOperand(value, use, cursor)
      break
    case 'integer':
      noteOperand(operand.value, use, cursor)
      break
  }
}
