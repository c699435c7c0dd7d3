import { firstFree } from '../../../base/free-name.ts'
import type { CheckedNode } from '../model/checked.ts'
import { isSelection } from '../model/selections.ts'

/** A name that is a valid heading of results. */
const PLAIN = /^[\p{L}\p{N}_-]+$/u

/**
 * What the results of these roots are called, each by a name of its own. A label alone is called by itself; anything else
 * by the label that it picks rows or columns of, else by the relation or method that it ends with, else by its entity; a
 * name that is given already gets a number: `orders_2`.
 *
 * @param bound the labels of the program: a name is never that of other rows
 */
export function rootLabels(roots: readonly CheckedNode[], bound: ReadonlySet<string>): readonly string[] {
  const given = new Set(roots.flatMap((node) => (node.kind === 'label' ? [node.label] : [])))
  const named = new Set<string>()
  return roots.map((node) => {
    if (node.kind === 'label' && !named.has(node.label)) {
      named.add(node.label)
      return node.label
    }
    const start = startOf(node)
    const name = start ?? nameOf(node)
    const label = firstFree(name, (one) => given.has(one) || (bound.has(one) && one !== start))
    given.add(label)
    return label
  })
}

/** The label of these rows, after a selection of rows or columns. */
function startOf(node: CheckedNode): string | undefined {
  if (node.kind === 'label') return node.label
  return isSelection(node) ? startOf(node.source) : undefined
}

function nameOf(node: CheckedNode): string {
  const name = lastNameOf(node) ?? node.rows.target?.entity.name
  return name !== undefined && PLAIN.test(name) ? name : 'rows'
}

/** The last relation or method that gave the rows. */
function lastNameOf(node: CheckedNode): string | undefined {
  switch (node.kind) {
    case 'relation':
      return node.relation.name
    case 'reference':
      return node.field
    case 'call':
      return node.capability.label
    case 'each':
      return lastNameOf(node.body)
    case 'aggregate':
      return node.by ? 'group_by' : 'aggregate'
    case 'page':
      return 'page'
    case 'label':
      return lastNameOf(node.node)
    case 'project':
    case 'filter':
    case 'limit':
    case 'page_size':
    case 'singleton':
    case 'sort':
    case 'render':
      return lastNameOf(node.source)
    case 'query':
    case 'get':
    case 'identity':
    case 'reverse':
    case 'cursor':
    case 'data':
      return undefined
  }
}
