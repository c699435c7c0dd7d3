import type { Argument, Operand, Operation, Plan, PlanNode } from './plan.ts'

type Flow = Plan['flows'][number]

/**
 * Data that flows from a read of one catalog into a call of another: through labels, text, loops, computed rows and pages.
 * A write takes all that it is made of; a read takes what its arguments are made of.
 *
 * @param pages the catalogs that the rows of a page handle came from
 */
export function flowsOf(
  nodes: readonly PlanNode[],
  pages: ReadonlyMap<string, readonly string[]> = new Map(),
): Pick<Plan, 'flows' | 'readFlows'> {
  const origins = new Map<string, ReadonlySet<string>>()
  const flows: Flow[] = []
  const readFlows: Flow[] = []
  const from = (inputs: readonly string[]) =>
    [...new Set(inputs.flatMap((input) => [...(origins.get(input) ?? [])]))].toSorted()
  for (const node of nodes) {
    const { operation, effect } = node
    const own = node.entity?.catalog
    if (operation.kind === 'page') {
      origins.set(node.id, new Set(pages.get(operation.handle) ?? (own === undefined ? [] : [own])))
      continue
    }
    const incoming = from(node.inputs)
    if (own !== undefined && effect !== 'pure') {
      const sent = effect === 'read' ? from(sentInputs(operation)) : incoming
      const crossing = sent.filter((catalog) => catalog !== own)
      const list = effect === 'read' ? readFlows : flows
      list.push(...crossing.map((catalog) => ({ from: catalog, to: own, node: node.id })))
    }
    origins.set(node.id, new Set(own === undefined ? incoming : [...incoming, own]))
  }
  return { flows, readFlows }
}

/** The nodes whose rows become part of the requests of a read: conditions that are evaluated here do not. */
function sentInputs(operation: Operation): readonly string[] {
  const source = 'source' in operation && operation.source !== undefined ? [operation.source] : []
  switch (operation.kind) {
    case 'query':
    case 'relation':
    case 'reverse':
      return [...source, ...nodesOf(operation.arguments)]
    case 'get':
    case 'call':
      return [...source, ...nodesOf([...operation.identity, ...operation.arguments])]
    case 'each':
      return [...source, ...sentInputs(operation.body)]
    default:
      return source
  }
}

function nodesOf(given: readonly Argument[]): readonly string[] {
  return given.flatMap(({ operand }) => nodesIn(operand))
}

function nodesIn(operand: Operand): readonly string[] {
  switch (operand.kind) {
    case 'node':
      return [operand.node]
    case 'text':
      return operand.parts.flatMap((part) => (typeof part === 'string' ? [] : nodesIn(part)))
    case 'list':
      return operand.items.flatMap(nodesIn)
    case 'record':
      return operand.entries.flatMap(([, value]) => nodesIn(value))
    case 'integer':
      return nodesIn(operand.value)
    case 'literal':
    case 'cursor':
      return []
  }
}
