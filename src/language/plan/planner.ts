import { freeze } from '../../base/freeze.ts'
import type { CheckedNode, CheckedProgram } from '../check/checked.ts'
import { digestOf } from './digest.ts'
import { Drafts, type Draft } from './drafts.ts'
import { flowsOf } from './flows.ts'
import { runBy, takeLimits } from './limits.ts'
import { noteNeeds } from './needs.ts'
import { operationOf } from './operations.ts'
import type { Effect, EntityName, Operation, Plan, PlanNode } from './plan.ts'

/**
 * The plan of a checked program that has no problems: one node for each step that does something, in an order in which
 * inputs come first; labels are names of nodes, so the same steps give the same plan with and without them. Reads whose
 * rows nothing uses are left out; writes never are. Frozen.
 */
export function planOf(checked: CheckedProgram): Plan {
  const drafts = new Drafts(checked)
  const returned = checked.roots.map(({ node }) => drafts.of(node))
  takeLimits(drafts.all, returned)
  noteNeeds(drafts.all, returned)
  const names = namesOf(drafts.all)
  const idOf = (node: CheckedNode) => names.get(runBy(drafts.of(node))) ?? ''
  const nodes = [...names].map(([draft, id]) => nodeOf(draft, id, idOf))
  const returns = checked.roots.map(({ label, node }) => ({ label, node: idOf(node) }))
  const catalogs = catalogsOf(nodes)
  const digest = digestOf(nodes, returns, catalogs)
  return freeze({ version: 1, nodes, returns, catalogs, digest, flows: flowsOf(nodes) })
}

/** `n1`, `n2`, …: in the order of the source, as far as inputs allow. */
function namesOf(drafts: readonly Draft[]): ReadonlyMap<Draft, string> {
  const names = new Map<Draft, string>()
  const place = (draft: Draft): void => {
    if (names.has(draft)) return
    for (const input of draft.inputs) place(runBy(input))
    names.set(draft, `n${names.size + 1}`)
  }
  const inSource = drafts
    .filter((draft) => !draft.runBy)
    .toSorted(({ node: { span: a } }, { node: { span: b } }) => a.start - b.start || a.end - b.end)
  inSource.forEach(place)
  return names
}

function nodeOf(draft: Draft, id: string, idOf: (node: CheckedNode) => string): PlanNode {
  const { node, label, inputs } = draft
  const entity = entityOf(node)
  return {
    id,
    ...(label !== undefined && { label }),
    span: node.span,
    effect: effectOf(node),
    inputs: inputs.map((input) => idOf(input.node)),
    ...(entity && { entity }),
    shape: node.rows.shape,
    operation: finished(draft, idOf),
  }
}

/** The operation with the names of the plan, and with what was found out about its reading. */
function finished(draft: Draft, idOf: (node: CheckedNode) => string): Operation {
  const { node, inputs, limit, pageSize, needs } = draft
  const operation = inputs.length === 0 ? draft.operation : operationOf(node, idOf)
  if (!isRead(operation)) return operation
  return {
    ...operation,
    ...(pageSize !== undefined && { pageSize }),
    ...(limit !== undefined && { limit }),
    ...(needs && needs !== 'all' && { needs: [...needs].toSorted() }),
  }
}

type Read = Extract<Operation, { kind: 'query' | 'get' | 'relation' | 'reference' | 'reverse' }>

function isRead(operation: Operation): operation is Read {
  return ['query', 'get', 'relation', 'reference', 'reverse'].includes(operation.kind)
}

function entityOf({ rows }: CheckedNode): EntityName | undefined {
  const { target } = rows
  return target && { catalog: target.catalog.id, digest: target.digest, entity: target.entity.name }
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

function catalogsOf(nodes: readonly PlanNode[]): Plan['catalogs'] {
  const digests = new Map<string, string>()
  for (const { entity } of nodes) if (entity) digests.set(entity.catalog, entity.digest)
  return [...digests]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([catalog, digest]) => ({ catalog, digest }))
}
