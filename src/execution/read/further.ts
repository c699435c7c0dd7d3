import { requestOf, viewOf } from '../../catalog/call.ts'
import { fieldsOf, indexOf } from '../../catalog/lookup.ts'
import type { Capability, Catalog, Entity, Relation } from '../../catalog/model.ts'
import { mostRows } from '../../language/plan/most-rows.ts'
import { usesOf } from '../../language/plan/needs.ts'
import type { EntityName, Operation, Plan, PlanNode } from '../../language/plan/plan.ts'
import { primaryGet } from './hydrate.ts'

/** Reads that a step makes for single rows. */
export interface FurtherRead {
  /**
   * `source`: for each row of its source; `loop`: the same, where the step itself says so; `parent`: for each of them whose
   * answer lacks the relation; `row`: for each row that it gives; `candidate`: for each row that a condition looks at;
   * `value`: for each different row that a reference names; `call`: with each call.
   */
  readonly per: 'source' | 'loop' | 'parent' | 'row' | 'candidate' | 'value' | 'call'
  /** The step's own read, and none besides. */
  readonly own?: true
  /** How many for each of these. */
  readonly count: number
  /** The fields that they fill, or the reference that they follow. */
  readonly names: readonly string[]
  /** The most of these, if the plan bounds them. */
  readonly most?: number
}

/** A step that calls an API or fills rows of it. */
interface Reading {
  readonly plan: Plan
  readonly node: PlanNode
  /** The step's operation; of a loop its body. */
  readonly operation: Operation
  readonly catalog: Catalog
  /** The entity of the step's rows. */
  readonly entity: Entity
}

/**
 * The reads that a step makes for single rows, as far as the plan and the catalog tell: its own for each row of its source,
 * those of fields that a list does not promise and of rows that references name, and those that belong to a call. Fewer are
 * made where an answer already holds such a row.
 *
 * @param model the catalog model under a digest of the plan
 */
export function furtherReads(
  plan: Plan,
  node: PlanNode,
  model: (digest: string) => Catalog,
): readonly FurtherRead[] {
  const operation = node.operation.kind === 'each' ? node.operation.body : node.operation
  const catalog = node.entity && model(node.entity.digest)
  const entity = catalog && indexOf(catalog).entities.get(node.entity?.entity ?? '')
  const reading = catalog && entity && { plan, node, operation, catalog, entity }
  return [
    ...(reading ? [...ownReads(reading), ...callReads(reading), ...fieldReads(reading)] : []),
    ...referenceReads(plan, node, model),
  ]
}

/** The step's own read, where it is made for each row of its source, or for those that do not hold what it gives. */
function ownReads(reading: Reading): readonly FurtherRead[] {
  const { plan, node, operation } = reading
  const source = 'source' in node.operation ? node.operation.source : undefined
  if (source === undefined || node.effect !== 'read' || operation.kind === 'data') return []
  const rows = mostRows(plan, source)
  const most = rows === undefined ? {} : { most: rows }
  if (operation.kind === 'relation' && !('capability' in (relationOf(reading)?.via ?? {})))
    return isListed(plan, source) ? [{ per: 'parent', count: 1, names: [operation.relation], ...most }] : []
  if (rows === 1 || (operation.kind === 'reverse' && !takesReference(reading, operation.parameter))) return []
  if (node.operation.kind === 'each') return [{ per: 'loop', own: true, count: 1, names: [], ...most }]
  return operation.kind === 'reference'
    ? [{ per: 'value', own: true, count: 1, names: [operation.field], ...most }]
    : [{ per: 'source', own: true, count: 1, names: [], ...most }]
}

/** Are the rows those of a list, whose answers may be brief? */
function isListed(plan: Plan, id: string): boolean {
  const operation = plan.nodes.find((one) => one.id === id)?.operation
  const passed = operation && passedFrom(operation)
  if (passed !== undefined) return isListed(plan, passed)
  return operation?.kind === 'query' || operation?.kind === 'reverse' || operation?.kind === 'relation'
}

/** The node whose rows an operation passes on with what was read for them; undefined for others. */
function passedFrom(operation: Operation): string | undefined {
  switch (operation.kind) {
    case 'sort':
    case 'filter':
    case 'limit':
      return operation.source
    case 'project':
    case 'singleton':
    case 'aggregate':
    case 'render':
    case 'each':
    case 'call':
    case 'relation':
    case 'reference':
    case 'reverse':
    case 'query':
    case 'get':
    case 'data':
    case 'page':
      return undefined
  }
}

/** Is the reference a parameter of the list, and not a field by which its rows are chosen here? */
function takesReference(reading: Reading, name: string): boolean {
  return listOf(reading)?.parameters.some((one) => one.name === name) === true
}

function relationOf({ plan, operation, catalog }: Reading): Relation | undefined {
  if (operation.kind !== 'relation') return undefined
  const source = plan.nodes.find(({ id }) => id === operation.source)
  const parent = indexOf(catalog).entities.get(source?.entity?.entity ?? '')
  return parent?.relations.find(({ name }) => name === operation.relation)
}

/** The reads before a write, the second read of a get, and those that a view is composed of. */
function callReads({ plan, node, operation, catalog }: Reading): readonly FurtherRead[] {
  if (operation.kind !== 'get' && operation.kind !== 'call' && operation.kind !== 'query') return []
  const capability = indexOf(catalog).capabilities.get(operation.capability)
  const parts = (viewOf(capability)?.nodes.length ?? 1) - 1
  const second = requestOf(capability)?.response.auxiliary ? 1 : 0
  const before = (capability?.preflight ?? []).reduce((all, { kind }) => all + (kind === 'labels' ? 2 : 1), 0)
  const count = parts + second + before
  const most = node.operation.kind === 'each' ? mostRows(plan, node.operation.source) : 1
  return count === 0 ? [] : [{ per: 'call', count, names: [], ...(most !== undefined && { most }) }]
}

/** The reads of fields that a list does not promise: for conditions, and for the steps that use its rows. */
function fieldReads(reading: Reading): readonly FurtherRead[] {
  const { plan, node, operation, catalog, entity } = reading
  const list = listOf(reading)
  if (!list?.provides || !primaryGet(catalog, entity)) return []
  const promised = new Set([...list.provides, ...entity.key])
  const lacking = (fields: readonly string[]) =>
    [...new Set(fields)].filter((field) => !promised.has(field) && fieldsOf(entity).has(field))
  const read = (per: 'candidate' | 'row', names: readonly string[]): readonly FurtherRead[] => {
    const most = per === 'row' ? mostRows(plan, node.id) : undefined
    return names.length === 0 ? [] : [{ per, count: 1, names, ...(most !== undefined && { most }) }]
  }
  if (operation.kind === 'limit') return read('row', lacking(operation.fills?.fields ?? []))
  const conditions = 'filters' in operation ? operation.filters.flatMap(({ path }) => path.slice(0, 1)) : []
  const candidates = lacking(conditions)
  // The read of a condition's field fills the whole row.
  if (candidates.length > 0) return read('candidate', candidates)
  const { needs = [], later = [] } = 'needs' in operation ? operation : {}
  const parameter = operation.kind === 'reverse' ? [operation.parameter] : []
  return read('row', lacking([...needs.filter((field) => !later.includes(field)), ...parameter]))
}

/** The capability that the step's rows are listed by; undefined for other rows. */
function listOf(reading: Reading): Capability | undefined {
  const { operation, catalog } = reading
  const via = relationOf(reading)?.via
  const name =
    operation.kind === 'query' || operation.kind === 'reverse'
      ? operation.capability
      : operation.kind === 'limit'
        ? operation.fills?.capability
        : via?.kind === 'query'
          ? via.capability
          : undefined
  return name === undefined ? undefined : indexOf(catalog).capabilities.get(name)
}

/** The reads of rows that references name, for columns, conditions and orders that lead across them. */
function referenceReads(
  plan: Plan,
  node: PlanNode,
  model: (digest: string) => Catalog,
): readonly FurtherRead[] {
  const found = new Map<string, FurtherRead>()
  const note = (entity: EntityName | undefined, path: readonly string[], most: number | undefined) => {
    for (const names of entity ? followed(entity, path, model(entity.digest)) : [])
      found.set(names.join('.'), {
        per: 'value',
        count: 1,
        names: [names.join('.')],
        ...(most !== undefined && { most }),
      })
  }
  usesOf(node.operation, (id, path = []) => {
    const source = plan.nodes.find((one) => one.id === id)
    if (source && !isFollowed(plan, source, path)) note(source.entity, path, mostRows(plan, id))
  })
  const { filters = [] } = 'filters' in node.operation ? node.operation : {}
  for (const { path } of filters) note(node.entity, path, undefined)
  return [...found.values()]
}

/** The references on the way of a path that a get has to follow. */
function followed(
  from: EntityName,
  path: readonly string[],
  catalog: Catalog,
): readonly (readonly string[])[] {
  const ways: (readonly string[])[] = []
  let entity = indexOf(catalog).entities.get(from.entity)
  for (const [at, name] of path.slice(0, -1).entries()) {
    const type = entity && fieldsOf(entity).get(name)?.type
    const target = type?.kind === 'reference' ? indexOf(catalog).entities.get(type.entity) : undefined
    const rest = path.slice(at + 1)
    // The reference itself is the key of what it names.
    const isKey = rest.length === 1 && target?.key.length === 1 && target.key[0] === rest[0]
    if (!target || isKey || !primaryGet(catalog, target)) break
    ways.push(path.slice(0, at + 1))
    entity = target
  }
  return ways
}

/** Did a step that passed these rows on look into the same reference? */
function isFollowed(plan: Plan, node: PlanNode, path: readonly string[]): boolean {
  const { operation } = node
  const passed = passedFrom(operation)
  const used: (readonly string[])[] = []
  if (passed !== undefined) usesOf(operation, (id, one = []) => void (id === passed && used.push(one)))
  if ('filters' in operation) used.push(...operation.filters.map((filter) => filter.path))
  if (used.some((one) => one.length > 1 && one[0] === path[0])) return true
  const source = plan.nodes.find(({ id }) => id === passed)
  return source !== undefined && isFollowed(plan, source, path)
}
