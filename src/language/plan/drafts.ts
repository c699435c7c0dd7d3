import type { CheckedNode, CheckedProgram } from '../check/model/checked.ts'
import { meaningOf } from './digest.ts'
import { operationOf, type IdOf, type ReadOptions, type PlannedNode } from './operations.ts'
import type { Operation } from './plan.ts'

/** A step while the plan is built: later steps may still change it. */
export interface Draft {
  /** The name that operations of other drafts use. */
  readonly id: string
  readonly node: PlannedNode
  readonly operation: Operation
  /** The drafts that it needs, in first-use order. */
  readonly inputs: readonly Draft[]
  readonly readOptions: ReadOptions
  label: string | undefined
  /** The number of drafts and results that use it. */
  uses: number
  /** The read that this limit was merged into. */
  mergedInto?: Draft
  /** The fields of its rows that are used by name; absent if nothing uses its rows. */
  needs?: Set<string>
  /** Its rows are a result, with all that they hold. */
  whole?: true
  /** Its id in the plan. */
  name?: string
}

/** The steps of a checked program, each once, in an order with inputs first. */
export class Drafts {
  readonly all: Draft[] = []
  /** The results of the roots, in their order. */
  readonly returned: readonly Draft[]
  readonly #byNode = new Map<CheckedNode, Draft>()
  readonly #reads = new Map<string, Draft>()
  readonly #labels: ReadonlyMap<CheckedNode, string>
  readonly #writes: boolean

  constructor({ bindings, roots }: CheckedProgram) {
    this.#labels = new Map(bindings.map(({ label, node }) => [node, label]))
    this.#writes = [...bindings, ...roots].some(({ node }) => writes(node))
    for (const { node } of bindings) if (writes(node)) this.of(node)
    this.returned = roots.map(({ node }) => this.of(node))
    for (const draft of this.returned) draft.uses++
  }

  of(node: CheckedNode): Draft {
    if (node.kind === 'label') return this.of(node.node)
    const known = this.#byNode.get(node)
    if (known) return known
    const draft =
      node.kind === 'page_size' ? this.#sized(node) : this.#made(limitFirst(node), this.#labels.get(node))
    this.#byNode.set(node, draft).set(draft.node, draft)
    return draft
  }

  #made(node: PlannedNode, label: string | undefined): Draft {
    const inputs: Draft[] = []
    const idOf: IdOf = (needed) => {
      const input = this.of(needed)
      if (!inputs.includes(input)) inputs.push(input)
      return input.id
    }
    const operation = operationOf(node, idOf, {})
    const key = this.#writes ? undefined : meaningOfRead(node, operation)
    const twin = key === undefined ? undefined : this.#reads.get(key)
    if (twin) return twin
    const id = `d${this.all.length + 1}`
    const draft: Draft = { id, node, operation, inputs, readOptions: {}, label, uses: 0 }
    for (const input of inputs) input.uses++
    this.all.push(draft)
    if (key !== undefined) this.#reads.set(key, draft)
    return draft
  }

  /** A page size applies only directly after a query. */
  #sized(node: Extract<CheckedNode, { kind: 'page_size' }>): Draft {
    const read = this.of(node.source)
    if (read.operation.kind !== 'query') return read
    read.label = this.#labels.get(node) ?? read.label
    read.readOptions.pageSize = node.count
    return read
  }
}

/** Columns of the first rows are the first rows of these columns: the limit goes first, so that no more rows are looked into. */
function limitFirst(node: PlannedNode): PlannedNode {
  if (node.kind !== 'limit' || node.source.kind !== 'project') return node
  const { source: project, span } = node
  const cut = limitFirst({ ...node, source: project.source, rows: project.source.rows })
  return { ...project, span, source: cut }
}

/** In a program without writes, equal reads are merged. */
function meaningOfRead({ rows }: PlannedNode, operation: Operation): string | undefined {
  return operation.kind === 'query' || operation.kind === 'get'
    ? `${rows.target?.digest} ${meaningOf(operation)}`
    : undefined
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
