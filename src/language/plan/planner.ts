import type { CheckedNode, CheckedProgram } from '../check/model/checked.ts'
import { digestOf } from './digest.ts'
import { Drafts, type Draft } from './drafts.ts'
import { flowsOf } from './flows.ts'
import { representativeOf, pushDownLimits } from './limit-pushdown.ts'
import { noteNeeds } from './needs.ts'
import { operationOf } from './operations.ts'
import { leaveUnread } from './unread.ts'
import type { Effect, EntityName, Plan, PlanNode } from './plan.ts'

/**
 * The plan of a checked program without problems: one node for each step, inputs first. Labels are names of nodes, so the
 * same steps give the same plan with and without them. Unused reads are left out; writes never are. The nodes and their
 * operations are frozen; their parts are frozen by the checked program.
 */
export function planOf(checked: CheckedProgram): Plan {
  const drafts = new Drafts(checked)
  pushDownLimits(drafts.all)
  noteNeeds(drafts)
  leaveUnread(drafts.all)
  const idOf = (node: CheckedNode) => representativeOf(drafts.of(node)).name ?? ''
  const nodes = named(drafts.all).map((draft) => nodeOf(draft, idOf))
  const returns = checked.roots.map(({ label, node }) => ({ label, node: idOf(node) }))
  const catalogs = catalogsOf(nodes)
  const digest = digestOf(nodes, returns, catalogs)
  return Object.freeze({
    version: 1,
    nodes: Object.freeze(nodes),
    returns,
    catalogs,
    digest,
    ...flowsOf(nodes),
  })
}

/** The drafts that remain, named `n1`, `n2`, … in the order of the source as far as inputs allow. */
function named(drafts: readonly Draft[]): readonly Draft[] {
  const ordered: Draft[] = []
  const place = (draft: Draft): void => {
    if (draft.name !== undefined) return
    for (const input of draft.inputs) place(representativeOf(input))
    ordered.push(draft)
    draft.name = `n${ordered.length}`
  }
  const bySource = drafts.toSorted(
    ({ node: { span: a } }, { node: { span: b } }) => a.start - b.start || a.end - b.end,
  )
  for (const draft of bySource) if (!draft.mergedInto) place(draft)
  return ordered
}

function nodeOf(draft: Draft, idOf: (node: CheckedNode) => string): PlanNode {
  const { name = '', node, label, inputs, readOptions } = draft
  const entity = entityOf(node)
  return Object.freeze({
    id: name,
    ...(label !== undefined && { label }),
    span: node.span,
    effect: readOptions.unread ? 'pure' : effectOf(node),
    inputs: inputs.map((input) => idOf(input.node)),
    ...(entity && { entity }),
    shape: node.rows.shape,
    operation: Object.freeze(operationOf(node, idOf, readOptions)),
  })
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
    case 'label':
    case 'identity':
    case 'cursor':
    case 'data':
    case 'project':
    case 'filter':
    case 'limit':
    case 'page_size':
    case 'singleton':
    case 'sort':
    case 'aggregate':
    case 'render':
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
