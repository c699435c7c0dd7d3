import type { CheckedNode } from '../check/checked.ts'
import type { Draft } from './drafts.ts'
import { runBy } from './limits.ts'
import type { Argument, Filter, Operand, Operation } from './plan.ts'

type Fields = readonly string[] | ReadonlySet<string> | 'all'
/** Notes that these fields of a draft's rows are used. */
type Use = (id: string, fields: Fields) => void

/**
 * Says for each draft which fields of its rows later ones use, so that only rows that lack one of them are fetched again.
 * Where whole rows are returned, or go where nobody can tell, it says `all`: whatever the read gives.
 */
export function noteNeeds(drafts: readonly Draft[], returned: readonly Draft[]): void {
  const byId = new Map(drafts.map((draft) => [draft.id, runBy(draft)]))
  const use: Use = (id, fields) => {
    const draft = byId.get(id)
    if (draft && draft.needs !== 'all') draft.needs = fields === 'all' ? 'all' : union(draft.needs, fields)
  }
  for (const { id } of returned) use(id, 'all')
  // Users stand behind what they use, so that one pass from the end sees all of them.
  for (const draft of drafts.toReversed()) if (!draft.runBy) noteUses(draft, use)
}

function union(known: Set<string> = new Set(), fields: Exclude<Fields, 'all'>): Set<string> {
  for (const field of fields) known.add(field)
  return known
}

function noteUses(draft: Draft, use: Use): void {
  const { id, node, operation } = draft
  const needs: Fields = draft.needs ?? []
  for (const operand of operandsOf(operation)) noteOperand(operand, use, undefined)
  if ('filters' in operation) use(id, firsts(operation.filters))
  switch (operation.kind) {
    case 'limit':
    case 'singleton':
      use(operation.source, needs)
      break
    case 'sort':
      use(operation.source, needs)
      use(operation.source, first(operation.path))
      break
    case 'project':
      use(operation.source, firsts(operation.columns))
      break
    case 'aggregate':
      use(operation.source, firsts(operation.by ? [operation.by] : []))
      use(operation.source, firsts(operation.columns))
      break
    case 'render':
      use(operation.source, firsts(operation.columns.map((column) => ({ path: column.split('.') }))))
      break
    case 'reference':
      use(operation.source, [operation.field])
      break
    case 'relation':
      use(operation.source, walkedBy(node))
      break
    case 'each':
      use(operation.source, [])
      for (const operand of operandsOf(operation.body)) noteOperand(operand, use, operation.source)
      break
    case 'reverse':
      use(operation.source, [])
      break
    case 'call':
      if (operation.source !== undefined) use(operation.source, [])
      break
    case 'query':
    case 'get':
    case 'data':
    case 'page':
      break
  }
}

/** The fields of its source that a relation is walked by, besides the source's identity. */
function walkedBy(node: CheckedNode): readonly string[] {
  const bindings =
    node.kind === 'relation' && 'bindings' in node.relation.via ? node.relation.via.bindings : []
  return bindings.flatMap(({ field }) => field ?? [])
}

function first(path: readonly string[]): readonly string[] {
  return path.slice(0, 1)
}

function firsts(held: readonly { readonly path?: readonly string[] }[]): readonly string[] {
  return held.flatMap(({ path }) => path?.[0] ?? [])
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
    default:
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
      use(operand.node, first(operand.path))
      break
    case 'cursor':
      if (cursor !== undefined) use(cursor, first(operand.path))
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
  }
}
