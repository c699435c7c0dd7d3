import { baseOf } from '../check/model/base.ts'
import { literalsIn } from '../check/values/literal.ts'
import type { CheckedArgument, CheckedFilter, CheckedNode, CheckedValue } from '../check/model/checked.ts'
import type { Argument, Filter, Operand, Operation } from './plan.ts'

/** Gives the id of the node that a step needs. */
export type IdOf = (needed: CheckedNode) => string

type EachBody = Extract<Operation, { kind: 'each' }>['body']
type Checked<Kind extends CheckedNode['kind']> = Extract<CheckedNode, { kind: Kind }>
/** What becomes a node of the plan: a label names another node, and a page size is an option of a read. */
export type PlannedNode = Exclude<CheckedNode, Checked<'label' | 'page_size'>>

/** The options of a read, or of a limit, that the steps around it set. */
export interface ReadOptions {
  pageSize?: number
  limit?: number
  needs?: readonly string[]
  whole?: true
  unread?: true
  later?: readonly string[]
  fills?: { readonly capability: string; readonly fields: readonly string[] }
}

/** The operation of a step. Asks for the ids of its inputs in first-use order. */
export function operationOf(node: PlannedNode, idOf: IdOf, reading: ReadOptions): Operation {
  switch (node.kind) {
    case 'query':
    case 'get':
      return read(node, idOf, reading)
    case 'call':
      return call(node, idOf)
    case 'relation':
      return {
        kind: 'relation',
        source: idOf(baseOf(node.source)),
        relation: node.relation.name,
        arguments: argumentsOf(node.arguments, idOf),
        filters: filtersOf(node.filters, idOf),
        ...reading,
      }
    case 'reference':
      return { kind: 'reference', source: idOf(baseOf(node.source)), field: node.field, ...reading }
    case 'reverse':
      return {
        kind: 'reverse',
        source: idOf(baseOf(node.source)),
        capability: node.capability.name,
        parameter: node.parameter,
        arguments: argumentsOf(node.arguments, idOf),
        filters: filtersOf(node.filters, idOf),
        ...reading,
      }
    case 'each':
      return {
        kind: 'each',
        source: idOf(node.source),
        body: bodyOf(node.body, idOf, reading),
        ...(node.distinct && { distinct: true }),
      }
    case 'project':
      return { kind: 'project', source: idOf(node.source), columns: node.columns }
    case 'filter':
      return { kind: 'filter', source: idOf(node.source), conditions: filtersOf(node.filters, idOf) }
    case 'limit':
      return {
        kind: 'limit',
        source: idOf(node.source),
        count: node.count,
        ...(reading.fills && { fills: reading.fills }),
      }
    case 'singleton':
      return { kind: 'singleton', source: idOf(node.source) }
    case 'sort': {
      const { path, descending, type } = node
      return { kind: 'sort', source: idOf(node.source), path, descending, type }
    }
    case 'aggregate': {
      const { by, columns } = node
      return { kind: 'aggregate', source: idOf(node.source), ...(by && { by }), columns }
    }
    case 'render':
      return { kind: 'render', source: idOf(node.source), columns: node.columns, template: node.template }
    case 'data':
      return { kind: 'data', value: operandOf(node.value, idOf) }
    case 'page':
      return { kind: 'page', handle: node.handle, ...(node.limit !== undefined && { limit: node.limit }) }
    case 'cursor':
    case 'identity':
      throw new Error(`a checked program has a ${node.kind} where rows are read`)
  }
}

function read(
  node: Checked<'query' | 'get'>,
  idOf: IdOf,
  reading: ReadOptions,
): Extract<Operation, { kind: 'query' | 'get' }> {
  const capability = node.capability.name
  const args = argumentsOf(node.arguments, idOf)
  if (node.kind === 'query')
    return { kind: 'query', capability, arguments: args, filters: filtersOf(node.filters, idOf), ...reading }
  const identity = argumentsOf(node.identity, idOf)
  return { kind: 'get', capability, identity, arguments: args, ...reading }
}

function call(node: Checked<'call'>, idOf: IdOf): Extract<Operation, { kind: 'call' }> {
  const identity = argumentsOf(node.identity, idOf)
  const source = node.source && idOf(baseOf(node.source))
  return {
    kind: 'call',
    capability: node.capability.name,
    identity,
    ...(source !== undefined && { source }),
    arguments: argumentsOf(node.arguments, idOf),
  }
}

function bodyOf(node: CheckedNode, idOf: IdOf, reading: ReadOptions): EachBody {
  switch (node.kind) {
    case 'query':
      return read(node, idOf, { ...reading, ...(node.limit !== undefined && { limit: node.limit }) })
    case 'get':
      return read(node, idOf, reading)
    case 'call':
      return call(node, idOf)
    case 'data':
      return { kind: 'data', value: operandOf(node.value, idOf) }
    default:
      throw new Error(`a checked program loops over a ${node.kind}`)
  }
}

function argumentsOf(args: readonly CheckedArgument[], idOf: IdOf): readonly Argument[] {
  return args.map(({ slot: { name, type }, value }) => ({ name, type, operand: operandOf(value, idOf) }))
}

function filtersOf(filters: readonly CheckedFilter[], idOf: IdOf): readonly Filter[] {
  return filters.map(({ path, operator, type, value, oneOf }) => {
    return { path, operator, type, operand: operandOf(value, idOf), ...(oneOf && { oneOf }) }
  })
}

function operandOf(value: CheckedValue, idOf: IdOf): Operand {
  switch (value.kind) {
    case 'literal':
    case 'cursor':
      return value
    case 'node': {
      // A literal key needs no read.
      const known = literalKey(value.node, value.path)
      if (known) return operandOf(known, idOf)
      return { kind: 'node', node: idOf(value.node), path: value.path, text: value.text }
    }
    case 'text':
      return {
        kind: 'text',
        parts: value.parts.map((part) => (typeof part === 'string' ? part : operandOf(part, idOf))),
      }
    case 'list':
      return listOperand(value.items.map((item) => operandOf(item, idOf)))
    case 'record':
      return recordOperand(value.entries.map(([name, held]) => [name, operandOf(held, idOf)] as const))
    case 'integer':
      return { kind: 'integer', value: operandOf(value.value, idOf) }
    case 'hole':
      throw new Error('a program with holes has no plan')
  }
}

/** The part of a get's key at the path, if the program wrote it: the row need not be read for it. */
function literalKey(node: CheckedNode, path: readonly string[]): CheckedValue | undefined {
  const base = baseOf(node)
  if (base.kind !== 'get' && base.kind !== 'identity') return undefined
  const { identity } = base
  const [only] = identity
  if (path.length === 0 && only && identity.length === 1) return only.value
  if (path.length === 0 && only)
    return { kind: 'record', entries: identity.map(({ slot, value }) => [slot.name, value] as const) }
  return path.length === 1 ? identity.find(({ slot }) => slot.name === path[0])?.value : undefined
}

function listOperand(items: readonly Operand[]): Operand {
  const literals = literalsIn(items)
  return literals ? { kind: 'literal', value: literals } : { kind: 'list', items }
}

function recordOperand(entries: readonly (readonly [string, Operand])[]): Operand {
  const literals = literalsIn(entries.map(([, held]) => held))
  return literals
    ? {
        kind: 'literal',
        value: Object.fromEntries(entries.map(([name], at) => [name, literals[at] ?? null])),
      }
    : { kind: 'record', entries }
}
