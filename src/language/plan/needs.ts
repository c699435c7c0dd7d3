import type { Argument, Filter, Operand, Operation, Plan, PlanNode } from './plan.ts'

type Needs = Set<string> | 'all'

/**
 * Says for each read which fields later nodes use, so that only rows that lack one of them are fetched again. Where whole
 * rows are returned, or go where nobody can tell, nothing is said: whatever the read gives.
 *
 * @param bound by relation node: the fields of its source that it is walked by
 */
export function withNeeds(
  nodes: readonly PlanNode[],
  returns: Plan['returns'],
  bound: ReadonlyMap<string, readonly string[]>,
): readonly PlanNode[] {
  const needs = new Map<string, Needs>()
  for (const { node } of returns) needs.set(node, 'all')
  // Users stand behind what they use, so that one pass from the end sees all of them.
  for (const node of nodes.toReversed()) noteUses(node, needs, bound)
  return nodes.map((node) => {
    const wanted = needs.get(node.id)
    return wanted === undefined || wanted === 'all' || !isRead(node.operation)
      ? node
      : { ...node, operation: { ...node.operation, needs: [...wanted].toSorted() } }
  })
}

function isRead(
  operation: Operation,
): operation is Extract<Operation, { kind: 'query' | 'get' | 'relation' | 'reference' | 'reverse' }> {
  return ['query', 'get', 'relation', 'reference', 'reverse'].includes(operation.kind)
}

function add(needs: Map<string, Needs>, id: string, fields: readonly string[] | 'all'): void {
  const known = needs.get(id)
  if (known === 'all') return
  if (fields === 'all') needs.set(id, 'all')
  else needs.set(id, new Set([...(known ?? []), ...fields]))
}

function first(path: readonly string[]): readonly string[] {
  return path.slice(0, 1)
}

function noteUses(
  node: PlanNode,
  needs: Map<string, Needs>,
  bound: ReadonlyMap<string, readonly string[]>,
): void {
  const { operation } = node
  const own = needs.get(node.id)
  const passed: readonly string[] | 'all' = own === 'all' ? 'all' : [...(own ?? [])]
  for (const operand of operandsOf(operation)) noteOperand(operand, needs, undefined)
  if ('filters' in operation && own !== 'all')
    add(
      needs,
      node.id,
      operation.filters.flatMap(({ path }) => first(path)),
    )
  switch (operation.kind) {
    case 'limit':
    case 'singleton':
      add(needs, operation.source, passed)
      break
    case 'sort':
      add(needs, operation.source, passed)
      add(needs, operation.source, first(operation.path))
      break
    case 'project':
      add(
        needs,
        operation.source,
        operation.columns.flatMap((column) => first(column.path)),
      )
      break
    case 'aggregate':
      add(needs, operation.source, first(operation.by?.path ?? []))
      for (const column of operation.columns) add(needs, operation.source, first(column.path ?? []))
      break
    case 'render':
      add(
        needs,
        operation.source,
        operation.columns.map((column) => column.split('.')[0] ?? column),
      )
      break
    case 'reference':
      add(needs, operation.source, [operation.field])
      break
    case 'relation':
      add(needs, operation.source, bound.get(node.id) ?? [])
      break
    case 'each':
      add(needs, operation.source, [])
      for (const operand of bodyOperands(operation.body)) noteOperand(operand, needs, operation.source)
      break
    case 'reverse':
      add(needs, operation.source, [])
      break
    case 'call':
      if (operation.source !== undefined) add(needs, operation.source, [])
      break
    case 'query':
    case 'get':
    case 'data':
    case 'page':
      break
  }
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

function bodyOperands(body: Extract<Operation, { kind: 'each' }>['body']): readonly Operand[] {
  return operandsOf(body)
}

function values(held: readonly (Argument | Filter)[]): readonly Operand[] {
  return held.map(({ operand }) => operand)
}

function noteOperand(operand: Operand, needs: Map<string, Needs>, cursor: string | undefined): void {
  switch (operand.kind) {
    case 'literal':
      break
    case 'node':
      add(needs, operand.node, first(operand.path))
      break
    case 'cursor':
      if (cursor !== undefined) add(needs, cursor, first(operand.path))
      break
    case 'text':
      for (const part of operand.parts) if (typeof part !== 'string') noteOperand(part, needs, cursor)
      break
    case 'list':
      for (const item of operand.items) noteOperand(item, needs, cursor)
      break
    case 'record':
      for (const [, value] of operand.entries) noteOperand(value, needs, cursor)
      break
  }
}
