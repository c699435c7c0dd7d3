import { ownValue } from '../../base/json.ts'
import type { ExactJson, Json } from '../../base/canonical.ts'
import { failed, ok } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { PinnedCatalog } from '../../catalog/digest.ts'
import type { Binding, Entity, Relation, Type } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { gather } from '../read/gather.ts'
import { passingRows } from '../read/filter.ts'
import { getRow } from '../source.ts'
import { joinFilters } from '../read/joined.ts'
import { throughout, worst } from '../completeness.ts'
import { hydrate, type Hydrated } from '../read/hydrate.ts'
import { checkedValue, fillArguments, knownFilters } from '../read/operand.ts'
import { identityValue, type LiveRow, rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { onlyFields, type Reading, usedFields } from '../reading.ts'
import { asText } from '../http/request/text.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { attributed, problemsIn, reachedName, reachedTable } from './children.ts'
import { byAnswer, type Walking } from './embedded.ts'
import { fanOut, type Bound } from './fan-out.ts'
import { capabilityOf, catalogOf, sourceOf } from './node.ts'

type Walk = Extract<Operation, { kind: 'relation' }>

/** From each row along a declared relation: children in the order of their parents. */
export async function runRelation(operation: Walk, step: NodeRun): Promise<NodeResult> {
  const source = sourceOf(step, operation.source)
  const pinned = catalogOf(step.run, step.node)
  const { catalog } = pinned
  const index = indexOf(catalog)
  const parentEntity = index.entities.get(source.entity?.entity ?? '')
  const relation = parentEntity?.relations.find(({ name }) => name === operation.relation)
  const entity = index.entities.get(relation?.target ?? '')
  if (!parentEntity || !relation || !entity)
    throw new Error(`the plan walks ${operation.relation}, which its source does not have`)
  const called = `${parentEntity.name}.${relation.name}`
  const where = { catalog: catalog.id, capability: called, called }
  const given = fillArguments(operation.arguments, catalog, where, { run: step.run })
  const filters = knownFilters(operation.filters, catalog, where, { run: step.run })
  if (!given.ok || !filters.ok) return failed([...problemsIn(given), ...problemsIn(filters)])
  const completed = await completeParents(step, relation, { pinned, entity: parentEntity, rows: source.rows })
  const walking = {
    operation,
    step,
    relation,
    target: { pinned, entity },
    parents: completed.rows,
    given: given.value,
    filters: filters.value,
  }
  const { via } = relation
  const walked =
    via.kind === 'query'
      ? await byQuery(walking, via.capability, via.bindings)
      : via.kind === 'get'
        ? await byGet(walking, via.capability, via.bindings)
        : await byAnswer(walking, parentEntity)
  return walked.ok ? ok({ ...walked.value, missing: worst(walked.value.missing, completed.missing) }) : walked
}

/** Parents from a thin read may lack what the relation is walked by: their get has it. */
async function completeParents(
  step: NodeRun,
  { via }: Relation,
  parents: { readonly pinned: PinnedCatalog; readonly entity: Entity; readonly rows: readonly LiveRow[] },
): Promise<Hydrated> {
  const bound =
    via.kind === 'query' || via.kind === 'get'
      ? via.bindings.flatMap(({ field }) => (field === undefined ? [] : [field]))
      : []
  const filled = await hydrate(step.run, { ...parents, fields: bound })
  for (const found of filled.problems) step.warn(found)
  return filled
}

async function byQuery(walking: Walking, name: string, bindings: readonly Binding[]): Promise<NodeResult> {
  const { operation, step, target, parents, filters } = walking
  const capability = capabilityOf(target.pinned, name)
  const { limit, needs = [], later = [] } = operation
  const isCut = limit !== undefined && parents.length > 1
  const reading = (values: ReadonlyMap<string, ExactJson>, wanted: number): Reading => ({
    invocation: { pinned: target.pinned, capability, arguments: values },
    filters,
    wanted,
    ...(limit !== undefined && { limit }),
    ...usedFields(operation),
    ...(isCut && { later: needs }),
  })
  const bound = boundParents(walking, bindings, capability.parameters)
  const what = `\`${operation.relation}\``
  const fields = isCut ? needs.filter((field) => !later.includes(field)) : []
  const fills = { fields, ...(capability.provides && { provided: capability.provides }) }
  return fanOut(
    { bound, sources: parents.length, target, reading, what, ...(limit !== undefined && { limit, fills }) },
    step,
  )
}

async function byGet(walking: Walking, name: string, bindings: readonly Binding[]): Promise<NodeResult> {
  const { operation, step, target, filters } = walking
  const capability = capabilityOf(target.pinned, name)
  const key = new Set(target.entity.key)
  const slots = target.entity.key.map((slot) => ({
    name: slot,
    type: { kind: 'string', semantics: 'short' } as const,
  }))
  const all = boundParents(walking, bindings, [...capability.parameters, ...slots])
  // Each parent gives one row: without conditions the first ones are enough.
  const bound = filters.length === 0 ? all.slice(0, operation.limit) : all
  const { pace } = step.run.world
  const gathered = await gather(bound, {
    keyOf: ({ values }) => Object.fromEntries(values),
    read: async ({ values }) => {
      const own = [...values]
        .filter(([slot]) => key.has(slot))
        .map(([slot, value]) => [slot, asText(value)] as const)
      const identity = own.length === key.size ? Object.fromEntries(own) : undefined
      const got = await getRow(step.run, {
        pinned: target.pinned,
        capability,
        arguments: values,
        ...(identity && { identity }),
        needs: onlyFields(operation),
      })
      return got.ok ? { ...got, value: [got.row] } : got
    },
    what: `\`${operation.relation}\``,
    pace,
  })
  const reached = attributed(
    bound.map(({ parent }) => parent),
    gathered.results,
  )
  const joined = await joinFilters(
    step.run,
    { entity: reachedName(target), rows: reached, filters },
    step.warn,
  )
  const rows = await passingRows(pace, joined.rows, filters)
  const missing = worst(throughout(joined.missing), gathered.missing)
  return reachedTable(target, { ...gathered, rows, missing }, step, { limit: operation.limit })
}

/** The arguments of each parent: its own values where the relation binds them, the program's besides. */
function boundParents(
  { step, parents, given, target, operation }: Walking,
  bindings: readonly Binding[],
  slots: readonly { readonly name: string; readonly type: Type }[],
): readonly Bound[] {
  const lost: string[] = []
  const { catalog } = target.pinned
  const { relation } = operation
  const where = { catalog: catalog.id, capability: relation, called: relation }
  // A parameter that only the template knows takes the value as it is.
  const fitted = (slot: (typeof slots)[number] | undefined, raw: Json) =>
    slot ? checkedValue(slot, raw, { catalog, where, run: step.run }) : ok(raw)
  const bound = parents.flatMap((parent) => {
    const values = new Map(given)
    for (const { parameter, field } of bindings) {
      const slot = slots.find(({ name }) => name === parameter)
      const raw = field === undefined ? ownIdentity(parent, parameter) : rowValue(parent, [field])
      const value = raw === undefined || raw === null ? undefined : fitted(slot, raw)
      if (!value?.ok) {
        lost.push(field ?? 'its id')
        return []
      }
      values.set(parameter, value.value)
    }
    return [{ parent, values }]
  })
  const [field] = lost
  if (field !== undefined)
    step.warn(problem('parent_without_value', { relation: operation.relation, rows: lost.length, field }))
  return bound
}

/** The parent's id; of a compound one the slot of the parameter's name, where there is one. */
function ownIdentity(parent: LiveRow, parameter: string): Json | undefined {
  const { identity } = parent
  return (identity && ownValue(identity, parameter)) ?? identityValue(parent)
}
