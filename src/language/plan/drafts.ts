import type { CheckedNode, CheckedProgram } from '../check/checked.ts'
import { meaningOf } from './digest.ts'
import { operationOf, type IdOf, type Step } from './operations.ts'
import type { Operation } from './plan.ts'

/** A step on its way into a plan: what follows about it from the steps around it is still being found out. */
export interface Draft {
  /** As other drafts' operations name it. */
  readonly id: string
  readonly node: Step
  readonly operation: Operation
  /** What it needs, in first-use order. */
  readonly inputs: readonly Draft[]
  label: string | undefined
  limit?: number
  pageSize?: number
  /** The read that took this limit over. */
  runBy?: Draft
  /** Fields of its rows that are used; absent: nothing asks. */
  needs?: Set<string> | 'all'
}

/** The steps of a checked program, each once however often it is used, in an order in which inputs come first. */
export class Drafts {
  readonly all: Draft[] = []
  readonly #byNode = new Map<CheckedNode, Draft>()
  readonly #reads = new Map<string, Draft>()
  readonly #labels: ReadonlyMap<CheckedNode, string>
  readonly #writes: boolean

  constructor({ bindings, roots }: CheckedProgram) {
    this.#labels = new Map(bindings.map(({ label, node }) => [node, label]))
    this.#writes = [...bindings, ...roots].some(({ node }) => writes(node))
    for (const { node } of bindings) if (writes(node)) this.of(node)
    for (const { node } of roots) this.of(node)
  }

  of(node: CheckedNode): Draft {
    if (node.kind === 'label') return this.of(node.node)
    const known = this.#byNode.get(node)
    if (known) return known
    const draft = node.kind === 'page_size' ? this.#sized(node) : this.#made(node)
    this.#byNode.set(node, draft)
    return draft
  }

  #made(node: Step): Draft {
    const inputs = new Set<Draft>()
    const idOf: IdOf = (needed) => {
      const input = this.of(needed)
      inputs.add(input)
      return input.id
    }
    const operation = operationOf(node, idOf)
    const id = `d${this.all.length + 1}`
    const draft = this.#twin({ id, node, operation, inputs: [...inputs], label: this.#labels.get(node) })
    if (draft.id === id) this.all.push(draft)
    return draft
  }

  /** Where nothing is written, the same read twice is one read. */
  #twin(draft: Draft): Draft {
    const { operation, node } = draft
    if (this.#writes || (operation.kind !== 'query' && operation.kind !== 'get')) return draft
    const key = `${node.rows.target?.digest} ${meaningOf(operation)}`
    const twin = this.#reads.get(key) ?? draft
    this.#reads.set(key, twin)
    return twin
  }

  /** A page size says how a query reads; behind anything else it says nothing. */
  #sized(node: Extract<CheckedNode, { kind: 'page_size' }>): Draft {
    const read = this.of(node.source)
    if (read.operation.kind !== 'query') return read
    read.label = this.#labels.get(node) ?? read.label
    read.pageSize = node.count
    return read
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
