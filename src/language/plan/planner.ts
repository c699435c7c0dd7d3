import { canonicalJson } from '../../base/canonical.ts'
import { freeze } from '../../base/freeze.ts'
import type { Relation } from '../../catalog/model.ts'
import type {
  CheckedArgument,
  CheckedFilter,
  CheckedNode,
  CheckedProgram,
  CheckedValue,
  Rows,
  Target,
} from '../check/checked.ts'
import { digestOf, withoutText } from './digest.ts'
import { flowsOf } from './flows.ts'
import { redirected, withLimits } from './limits.ts'
import { withNeeds } from './needs.ts'
import type {
  AggregateColumn,
  Argument,
  Effect,
  EntityName,
  Filter,
  Operand,
  Operation,
  Plan,
  PlanNode,
} from './plan.ts'

type EachBody = Extract<Operation, { kind: 'each' }>['body']

/**
 * The plan of a checked program that has no problems: one node for each step that does something, in an order in which
 * inputs come first; labels are names of nodes, so the same steps give the same plan with and without them. Reads whose
 * rows nothing uses are left out; writes never are. Frozen.
 */
export function planOf(checked: CheckedProgram): Plan {
  const planner = new Planner()
  const bound = new Map<CheckedNode, string>()
  for (const { label, node } of checked.bindings) bound.set(node, label)
  planner.labels = bound
  planner.writes = [...checked.bindings, ...checked.roots].some(({ node }) => writes(node))
  for (const { node } of checked.bindings) if (writes(node)) planner.plan(node)
  const returns = checked.roots.map(({ label, node }) => ({ label, node: planner.plan(node) }))
  return freeze(assemble(planner, returns))
}

function assemble(planner: Planner, returned: Plan['returns']): Plan {
  const limited = withLimits(planner.nodes, returned)
  const needed = withNeeds(limited.nodes, limited.returns, planner.bound)
  const { nodes, returns } = inOrder(needed, limited.returns)
  const catalogs = new Map<string, string>()
  for (const node of nodes) if (node.entity) catalogs.set(node.entity.catalog, node.entity.digest)
  const listed = [...catalogs]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([catalog, digest]) => ({ catalog, digest }))
  return {
    version: 1,
    nodes,
    returns,
    catalogs: listed,
    digest: digestOf(nodes, returns, listed),
    flows: flowsOf(nodes),
  }
}

/** Source order, as far as inputs allow; ids count from `n1`. */
function inOrder(drafts: readonly PlanNode[], returned: Plan['returns']): Pick<Plan, 'nodes' | 'returns'> {
  const byId = new Map(drafts.map((node) => [node.id, node]))
  const names = new Map<string, string>()
  const ordered: PlanNode[] = []
  const place = (node: PlanNode): void => {
    if (names.has(node.id)) return
    for (const input of node.inputs) {
      const needed = byId.get(input)
      if (needed) place(needed)
    }
    if (names.has(node.id)) return
    names.set(node.id, `n${names.size + 1}`)
    ordered.push(node)
  }
  for (const node of drafts.toSorted((a, b) => a.span.start - b.span.start || a.span.end - b.span.end))
    place(node)
  const rename = (id: string) => names.get(id) ?? id
  return {
    nodes: ordered.map((node) => redirected(node, rename)),
    returns: returned.map(({ label, node }) => ({ label, node: rename(node) })),
  }
}

function writes(node: CheckedNode): boolean {
  switch (node.kind) {
    case 'call':
      return true
    case 'each':
      return writes(node.body) || writes(node.source)
    case 'label':
    case 'query':
    case 'get':
    case 'identity':
    case 'cursor':
    case 'data':
    case 'page':
      return false
    default:
      return writes(node.source)
  }
}

class Planner {
  readonly nodes: PlanNode[] = []
  labels: ReadonlyMap<CheckedNode, string> = new Map()
  /** By draft: the fields of the source that a relation is bound to. */
  readonly bound = new Map<string, readonly string[]>()
  writes = false
  readonly #reads = new Map<string, string>()
  readonly #ids = new Map<CheckedNode, string>()

  /** The id of the node, planned once however often it is used. */
  plan(node: CheckedNode): string {
    if (node.kind === 'label') return this.plan(node.node)
    const known = this.#ids.get(node)
    if (known !== undefined) return known
    const inputs: string[] = []
    const operation = this.#operation(node, inputs)
    if (typeof operation === 'string') {
      this.#ids.set(node, operation)
      return operation
    }
    const id = `d${this.nodes.length + 1}`
    const label = this.labels.get(node)
    const entity = entityOf(node.rows)
    const twin = this.#twin(node, operation, id)
    if (twin !== undefined) return twin
    this.nodes.push({
      id,
      ...(label !== undefined && { label }),
      span: node.span,
      effect: effectOf(node),
      inputs: [...new Set(inputs)],
      ...(entity && { entity }),
      shape: node.rows.shape,
      operation,
    })
    if (node.kind === 'relation') this.bound.set(id, boundFields(node.relation))
    this.#ids.set(node, id)
    return id
  }

  /** Where nothing is written, the same read twice is one read. */
  #twin(node: CheckedNode, operation: Operation, id: string): string | undefined {
    if (this.writes || (operation.kind !== 'query' && operation.kind !== 'get')) return undefined
    const key = canonicalJson({ operation: withoutText(operation), entity: entityOf(node.rows) })
    const twin = this.#reads.get(key)
    this.#reads.set(key, twin ?? id)
    if (twin !== undefined) this.#ids.set(node, twin)
    return twin
  }

  /** The operation of a node, its inputs noted; or the id of the node that already does it. */
  #operation(node: CheckedNode, inputs: string[]): Operation | string {
    const source = (from: CheckedNode): string => {
      const id = this.plan(from)
      inputs.push(id)
      return id
    }
    switch (node.kind) {
      case 'label':
        return this.plan(node.node)
      case 'query':
      case 'get':
        return this.#read(node, inputs)
      case 'call':
        return this.#call(node, inputs)
      case 'relation':
        return {
          kind: 'relation',
          source: source(whole(node.source)),
          relation: node.relation.name,
          arguments: this.#arguments(node.arguments, inputs),
          filters: this.#filters(node.filters, inputs),
        }
      case 'reference':
        return { kind: 'reference', source: source(whole(node.source)), field: node.field }
      case 'reverse':
        return {
          kind: 'reverse',
          source: source(whole(node.source)),
          capability: node.capability.name,
          parameter: node.parameter,
          arguments: this.#arguments(node.arguments, inputs),
          filters: this.#filters(node.filters, inputs),
        }
      case 'each':
        return { kind: 'each', source: source(node.source), body: this.#body(node.body, inputs) }
      case 'project':
        return { kind: 'project', source: source(node.source), columns: node.columns }
      case 'limit':
        return { kind: 'limit', source: source(node.source), count: node.count }
      case 'page_size':
        return this.#pageSize(node)
      case 'singleton':
        return { kind: 'singleton', source: source(node.source) }
      case 'sort':
        return {
          kind: 'sort',
          source: source(node.source),
          path: node.path,
          descending: node.descending,
          type: node.type,
        }
      case 'aggregate': {
        const columns: readonly AggregateColumn[] = node.columns
        return { kind: 'aggregate', source: source(node.source), ...(node.by && { by: node.by }), columns }
      }
      case 'render':
        return { kind: 'render', source: source(node.source), columns: node.columns, template: node.template }
      case 'data':
        return { kind: 'data', value: this.#operand(node.value, inputs) }
      case 'page':
        return { kind: 'page', handle: node.handle, ...(node.limit !== undefined && { limit: node.limit }) }
      case 'cursor':
      case 'identity':
        throw new Error(`a checked program has a ${node.kind} where rows are read`)
    }
  }

  #read(
    node: Extract<CheckedNode, { kind: 'query' | 'get' }>,
    inputs: string[],
  ): Extract<Operation, { kind: 'query' | 'get' }> {
    const capability = node.capability.name
    const args = this.#arguments(node.arguments, inputs)
    if (node.kind === 'get')
      return { kind: 'get', capability, identity: this.#arguments(node.identity, inputs), arguments: args }
    const filters = this.#filters(node.filters, inputs)
    return {
      kind: 'query',
      capability,
      arguments: args,
      filters,
      ...(node.limit !== undefined && { limit: node.limit }),
    }
  }

  #call(
    node: Extract<CheckedNode, { kind: 'call' }>,
    inputs: string[],
  ): Extract<Operation, { kind: 'call' }> {
    const identity = this.#arguments(node.identity, inputs)
    const source = node.source && this.plan(whole(node.source))
    if (source !== undefined) inputs.push(source)
    const args = this.#arguments(node.arguments, inputs)
    return {
      kind: 'call',
      capability: node.capability.name,
      identity,
      ...(source !== undefined && { source }),
      arguments: args,
    }
  }

  #body(node: CheckedNode, inputs: string[]): EachBody {
    switch (node.kind) {
      case 'query':
      case 'get':
        return this.#read(node, inputs)
      case 'call':
        return this.#call(node, inputs)
      case 'data':
        return { kind: 'data', value: this.#operand(node.value, inputs) }
      default:
        throw new Error(`a checked program loops over a ${node.kind}`)
    }
  }

  #pageSize(node: Extract<CheckedNode, { kind: 'page_size' }>): string {
    const id = this.plan(node.source)
    const at = this.nodes.findIndex((one) => one.id === id)
    const read = this.nodes[at]
    if (read?.operation.kind === 'query') {
      const label = this.labels.get(node) ?? read.label
      this.nodes[at] = {
        ...read,
        ...(label !== undefined && { label }),
        operation: { ...read.operation, pageSize: node.count },
      }
    }
    return id
  }

  #arguments(args: readonly CheckedArgument[], inputs: string[]): readonly Argument[] {
    return args.map(({ slot, value }) => ({
      name: slot.name,
      type: slot.type,
      operand: this.#operand(value, inputs),
    }))
  }

  #filters(filters: readonly CheckedFilter[], inputs: string[]): readonly Filter[] {
    return filters.map(({ path, operator, type, value }) => ({
      path,
      operator,
      type,
      operand: this.#operand(value, inputs),
    }))
  }

  #operand(value: CheckedValue, inputs: string[]): Operand {
    switch (value.kind) {
      case 'literal':
      case 'cursor':
        return value
      case 'node': {
        // A key that was written needs no read.
        const known = literalKey(value.node, value.path)
        if (known) return this.#operand(known, inputs)
        const node = this.plan(value.node)
        inputs.push(node)
        return { kind: 'node', node, path: value.path, text: value.text }
      }
      case 'text':
        return {
          kind: 'text',
          parts: value.parts.map((part) => (typeof part === 'string' ? part : this.#operand(part, inputs))),
        }
      case 'list':
        return listOperand(value.items.map((item) => this.#operand(item, inputs)))
      case 'record':
        return recordOperand(
          value.entries.map(([name, held]) => [name, this.#operand(held, inputs)] as const),
        )
      case 'hole':
        throw new Error('a program with holes has no plan')
    }
  }
}

/** The part of a get's key that the path asks for, where the program wrote it: the row need not be read for it. */
function literalKey(node: CheckedNode, path: readonly string[]): CheckedValue | undefined {
  const base = whole(node)
  if (base.kind !== 'get' && base.kind !== 'identity') return undefined
  const { identity } = base
  const [only] = identity
  if (path.length === 0 && only && identity.length === 1) return only.value
  if (path.length === 0 && only)
    return { kind: 'record', entries: identity.map(({ slot, value }) => [slot.name, value] as const) }
  return path.length === 1 ? identity.find(({ slot }) => slot.name === path[0])?.value : undefined
}

/** The rows before any projection: steps and calls need the whole of a row. */
function whole(node: CheckedNode): CheckedNode {
  if (node.kind === 'label') return whole(node.node)
  return node.kind === 'project' && node.rows.target ? whole(node.source) : node
}

/** What a relation is walked by, besides the identity of its source. */
function boundFields({ via }: Relation): readonly string[] {
  return 'bindings' in via ? via.bindings.flatMap(({ field }) => field ?? []) : []
}

function entityOf({ target }: Rows): EntityName | undefined {
  return target && entityName(target)
}

function entityName({ catalog, digest, entity }: Target): EntityName {
  return { catalog: catalog.id, digest, entity: entity.name }
}

function effectOf(node: CheckedNode): Effect {
  switch (node.kind) {
    case 'query':
    case 'get':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'page':
      return 'read'
    case 'call':
      return node.capability.effect
    case 'each':
      return effectOf(node.body)
    default:
      return 'pure'
  }
}

function listOperand(items: readonly Operand[]): Operand {
  const literals = items.flatMap((item) => (item.kind === 'literal' ? [item.value] : []))
  return literals.length === items.length ? { kind: 'literal', value: literals } : { kind: 'list', items }
}

function recordOperand(entries: readonly (readonly [string, Operand])[]): Operand {
  const literals = entries.flatMap(([name, held]) =>
    held.kind === 'literal' ? [[name, held.value] as const] : [],
  )
  return literals.length === entries.length
    ? { kind: 'literal', value: Object.fromEntries(literals) }
    : { kind: 'record', entries }
}
