import type { Json } from '../../base/canonical.ts'
import { failed, type Problem } from '../../base/diagnostic.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Binding, Catalog, Entity, Relation } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { gather } from '../fetch.ts'
import type { KnownFilter } from '../filter.ts'
import { passes } from '../filter.ts'
import { getRow } from '../get.ts'
import { hydrate } from '../hydrate.ts'
import type { Partial } from '../outcome.ts'
import { checkedValue, fillArguments, knownFilters } from '../operand.ts'
import { identityValue, isRecord, rowValue } from '../path.ts'
import { problem } from '../problems.ts'
import { readRows } from '../read.ts'
import { asText } from '../request/evaluate.ts'
import { decodeRow } from '../response/decode.ts'
import { embeddedChildren } from '../response/embedded.ts'
import type { LiveRow, Step, Stepped } from '../run.ts'
import { attributed, problemsIn, reachedTable, worse, type Reached } from './children.ts'
import { sourceOf } from './project.ts'
import { capabilityOf, catalogOf, toTable } from './query.ts'

type Walk = Extract<Operation, { kind: 'relation' }>

/** One relation being walked from known parents, with what the program asks of the children. */
interface Walking {
  readonly operation: Walk
  readonly step: Step
  readonly relation: Relation
  readonly target: Reached
  readonly parents: readonly LiveRow[]
  readonly given: ReadonlyMap<string, Json>
  readonly filters: readonly KnownFilter[]
}

/** From each row along a declared relation: children in the order of their parents. */
export async function runRelation(operation: Walk, step: Step): Promise<Stepped> {
  const source = sourceOf(step, operation.source)
  const { catalog, digest } = catalogOf(step.run, step.node)
  const index = indexOf(catalog)
  const parentEntity = index.entities.get(source.entity?.entity ?? '')
  const relation = parentEntity?.relations.find(({ name }) => name === operation.relation)
  const entity = index.entities.get(relation?.target ?? '')
  if (!parentEntity || !relation || !entity)
    throw new Error(`the plan walks ${operation.relation}, which its source does not have`)
  const where = { catalog: catalog.id, capability: `${parentEntity.name}.${relation.name}` }
  const given = fillArguments(operation.arguments, catalog, where, { run: step.run })
  const filters = knownFilters(operation.filters, catalog, where, { run: step.run })
  if (!given.ok || !filters.ok) return failed([...problemsIn(given), ...problemsIn(filters)])
  const parents = await completeParents(step, catalog, parentEntity, relation, source.rows)
  const walking = {
    operation,
    step,
    relation,
    target: { catalog, digest, entity },
    parents,
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
  // Parents that were not all read have children that were not all read.
  const partial = walked.ok
    ? worse(walked.value.partial, source.partial === 'more_pages' ? 'budget' : source.partial)
    : undefined
  const complete = walked.ok && operation.limit !== undefined && walked.value.rows.length >= operation.limit
  return walked.ok && partial && !complete ? { ok: true, value: { ...walked.value, partial } } : walked
}

/** Parents from a thin read may lack what the relation is walked by: their get has it. */
async function completeParents(
  step: Step,
  catalog: Catalog,
  entity: Entity,
  relation: Relation,
  rows: readonly LiveRow[],
) {
  const { via } = relation
  const bound =
    via.kind === 'query' || via.kind === 'get'
      ? via.bindings.flatMap(({ field }) => (field === undefined ? [] : [field]))
      : []
  const filled = await hydrate(step.run, { catalog, entity, rows, fields: bound })
  for (const found of filled.problems) step.warn(found)
  return filled.rows
}

async function byQuery(walking: Walking, name: string, bindings: readonly Binding[]): Promise<Stepped> {
  const { operation, step, target, parents, filters } = walking
  const { run, node } = step
  const capability = capabilityOf(target.catalog, name)
  const bound = boundParents(walking, bindings, capability.parameters)
  const onlyPage = bound.length === 1 && run.demand(node.id) === 0
  const { limit, needs } = operation
  const reading = (values: ReadonlyMap<string, Json>) => ({
    invocation: { catalog: target.catalog, capability, arguments: values },
    digest: target.digest,
    filters,
    wanted: limit ?? (onlyPage ? 0 : Infinity),
    ...(limit !== undefined && { limit }),
    ...(needs && { needs }),
  })
  const [only] = bound
  if (bound.length === 1 && parents.length === 1 && only) {
    const read = reading(only.values)
    return toTable(await readRows(run, read), read.invocation, target.digest, step.warn)
  }
  let partial: Partial | undefined
  const notes: Problem[] = []
  const gathered = await gather(
    bound,
    ({ values }) => Object.fromEntries(values),
    async ({ values }) => {
      const read = await readRows(run, reading(values))
      const [first] = read.problems
      if (read.failed && first)
        return {
          ok: false as const,
          problem: first,
          why: first.code === 'budget_exhausted' ? 'budget' : 'failed',
        }
      partial = worse(partial, read.partial)
      notes.push(...read.problems)
      return { ok: true as const, value: read.rows }
    },
    `\`${operation.relation}\``,
  )
  const rows = attributed(
    bound.map(({ parent }) => parent),
    gathered.results,
  )
  const whole = worse(partial, gathered.partial)
  const problems = [
    ...gathered.problems,
    ...notes.filter((one, at) => notes.findIndex(({ code }) => code === one.code) === at),
  ]
  return reachedTable(
    target,
    rows,
    { problems, allFailed: gathered.allFailed, ...(whole && { partial: whole }) },
    step,
    limit,
  )
}

async function byGet(walking: Walking, name: string, bindings: readonly Binding[]): Promise<Stepped> {
  const { operation, step, target, filters } = walking
  const capability = capabilityOf(target.catalog, name)
  const key = new Set(target.entity.key)
  const slots = target.entity.key.map((slot) => ({
    name: slot,
    type: { kind: 'string', semantics: 'short' } as const,
  }))
  const bound = boundParents(walking, bindings, [...capability.parameters, ...slots])
  const gathered = await gather(
    bound,
    ({ values }) => Object.fromEntries(values),
    async ({ values }) => {
      const own = [...values]
        .filter(([slot]) => key.has(slot))
        .map(([slot, value]) => [slot, asText(value)] as const)
      const identity = own.length === key.size ? Object.fromEntries(own) : undefined
      const got = await getRow(step.run, {
        catalog: target.catalog,
        capability,
        arguments: values,
        ...(identity && { identity }),
      })
      return got.ok
        ? { ok: true as const, value: [got.row] }
        : { ok: false as const, problem: got.problem, why: got.why }
    },
    `\`${operation.relation}\``,
  )
  const rows = attributed(
    bound.map(({ parent }) => parent),
    gathered.results,
  ).filter((row) => passes(row, filters))
  return reachedTable(target, rows, gathered, step, operation.limit)
}

/** Children that stand in the parents' own answers; ids and thin rows are completed by the target's get. */
async function byAnswer(walking: Walking, parentEntity: Entity): Promise<Stepped> {
  const { operation, step, relation, target, filters } = walking
  const { catalog, entity } = target
  const say = (row: LiveRow) => embeddedChildren(row, relation.name, relation.via)
  let { parents } = walking
  if (parents.some((row) => say(row) === undefined)) {
    if (relation.via.kind === 'none')
      return failed([problem('relation_unwalkable', { entity: parentEntity.name, relation: relation.name })])
    parents = await refetched(walking, parentEntity, (row) => say(row) === undefined)
  }
  const groups = parents.map((parent) =>
    (say(parent) ?? []).flatMap((raw) => {
      const ambient = new Map([
        ...(parent.ambient ?? []),
        ...Object.entries(parent.identity ?? {}),
        ...Object.entries(parent.values),
      ])
      const decoded = decodeRow(raw, { catalog, entity, ambient })
      return 'row' in decoded ? [decoded.row] : []
    }),
  )
  const stubs = groups.some((group) => group.some(({ raw }) => !isRecord(raw)))
  const fields = [
    ...(operation.needs ?? (stubs ? entity.fields.map(({ name }) => name) : [])),
    ...filters.flatMap(({ path }) => path.slice(0, 1)),
  ]
  const filled = await hydrate(step.run, {
    catalog,
    entity,
    rows: attributed(parents, groups),
    fields,
    ...(stubs && { provided: [] }),
  })
  const rows = filled.rows.filter((row) => passes(row, filters))
  return reachedTable(target, rows, { problems: filled.problems, allFailed: false }, step, operation.limit)
}

async function refetched(
  { step, target, parents }: Walking,
  entity: Entity,
  lacks: (row: LiveRow) => boolean,
): Promise<readonly LiveRow[]> {
  const thin = parents.map((row) => (lacks(row) ? { ...row, values: {} } : row))
  // A row without values lacks every field, so that exactly these are read again.
  const filled = await hydrate(step.run, {
    catalog: target.catalog,
    entity,
    rows: thin,
    fields: entity.fields.map(({ name }) => name),
    provided: [],
  })
  for (const found of filled.problems) step.warn(found)
  return filled.rows.map((row, index) => ({ ...row, values: { ...row.values, ...parents[index]?.values } }))
}

interface Bound {
  readonly parent: LiveRow
  readonly values: ReadonlyMap<string, Json>
}

/** The arguments of each parent: its own values where the relation binds them, the program's besides. */
function boundParents(
  { step, parents, given, target, operation }: Walking,
  bindings: readonly Binding[],
  slots: readonly { readonly name: string; readonly type: Entity['fields'][number]['type'] }[],
): readonly Bound[] {
  const lost: string[] = []
  const bound = parents.flatMap((parent) => {
    const values = new Map(given)
    for (const { parameter, field } of bindings) {
      const slot = slots.find(({ name }) => name === parameter)
      const raw = field === undefined ? ownIdentity(parent, parameter) : rowValue(parent, [field])
      const where = { catalog: target.catalog.id, capability: operation.relation }
      const value =
        raw === undefined || raw === null || !slot
          ? undefined
          : checkedValue(slot, raw, target.catalog, where, { run: step.run })
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
  return identity && Object.hasOwn(identity, parameter) ? identity[parameter] : identityValue(parent)
}
