import type { Capability } from '../../catalog/model.ts'
import type { CheckedNode } from '../check/model/checked.ts'
import type { Draft } from './drafts.ts'
import { representativeOf } from './limit-pushdown.ts'

/**
 * Leaves fields that a list read does not give to a limit behind it, so that they are fetched for the rows that remain
 * only. What the steps between them sort or choose by is filled before, and the rest with it; a read that other steps use as
 * well fills everything.
 */
export function leaveToLimit(limit: Draft): void {
  if (limit.operation.kind !== 'limit') return
  const early = new Set<string>()
  const read = readBefore(limit, early)
  const capability = read && listOf(read.node)
  if (!capability) return
  const given = new Set([...(capability.provides ?? early), ...(read.node.rows.target?.entity.key ?? [])])
  if ([...early].some((field) => !given.has(field))) return
  const fields = (read.readOptions.needs ?? []).filter((field) => !given.has(field))
  if (fields.length === 0) return
  read.readOptions.later = fields
  limit.readOptions.fills = { capability: capability.name, fields }
}

/** The read whose rows, sorted or filtered for this limit alone, it cuts; adds the fields that this takes. */
function readBefore({ inputs: [source] }: Draft, early: Set<string>): Draft | undefined {
  for (let draft = source && representativeOf(source); draft?.uses === 1; draft = sourceOf(draft)) {
    const { operation } = draft
    if (operation.kind === 'sort') add(early, [operation])
    else if (operation.kind === 'filter') add(early, operation.conditions)
    else {
      if ('filters' in operation) add(early, operation.filters)
      if (operation.kind === 'reverse') early.add(operation.parameter)
      return draft
    }
  }
  return undefined
}

function sourceOf({ inputs: [source] }: Draft): Draft | undefined {
  return source && representativeOf(source)
}

function add(early: Set<string>, used: readonly { readonly path: readonly string[] }[]): void {
  for (const { path } of used) if (path[0] !== undefined) early.add(path[0])
}

/** The capability that a step lists its rows by; undefined for other steps. */
function listOf(node: CheckedNode): Capability | undefined {
  if (node.kind === 'query' || node.kind === 'reverse') return node.capability
  if (node.kind !== 'relation' || node.relation.via.kind !== 'query') return undefined
  const name = node.relation.via.capability
  return node.rows.target?.catalog.capabilities.find((one) => one.name === name)
}
