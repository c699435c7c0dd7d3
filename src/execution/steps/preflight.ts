import type { ExactJson, Json } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { fieldsOf, indexOf } from '../../catalog/lookup.ts'
import type { Capability, Entity } from '../../catalog/model.ts'
import { exactValue } from '../../catalog/values/exact.ts'
import type { Found, Preflight, PreflightValue } from '../../catalog/preflight.ts'
import { forbidsEffects } from '../completeness.ts'
import { sameValue } from '../read/compare.ts'
import { getRow } from '../source.ts'
import { hydrate } from '../read/hydrate.ts'
import { entityOf, type Invocation, whereOf } from '../invocation.ts'
import { checkedValue } from '../read/operand.ts'
import { child, digitsAsText, isList, scalarText, walk } from '../../base/json.ts'
import { type LiveRow, rowValue } from '../row.ts'
import { problem } from '../problems.ts'
import { readRows } from '../source.ts'
import { compoundSlots } from '../http/request/environment.ts'
import type { Run } from '../run.ts'

interface Finding {
  readonly run: Run
  readonly invocation: Invocation
  /** Rows that were got, by prefix. */
  readonly rows: Map<string, LiveRow>
  readonly found: Map<string, ExactJson>
}

type Step<Kind extends Preflight['kind']> = Extract<Preflight, { kind: Kind }>

/**
 * Makes the reads that a call asks for right before it: the call with what they found. A read that fails, or that does not
 * find exactly one row where one is meant, keeps the call from being made.
 */
export async function afterPreflight(run: Run, invocation: Invocation): Promise<Result<Invocation>> {
  const { preflight } = invocation.capability
  if (!preflight) return ok(invocation)
  const finding: Finding = { run, invocation, rows: new Map(), found: new Map() }
  for (const step of preflight) {
    const problems = await make(step, finding)
    if (problems.length > 0) return failed(problems)
  }
  return ok({ ...invocation, found: finding.found })
}

function make(step: Preflight, finding: Finding): Promise<readonly Problem[]> {
  switch (step.kind) {
    case 'target':
      return getTarget(step, finding)
    case 'reference':
      return getReferred(step, finding)
    case 'pick':
      return pick(step, finding)
    case 'labels':
      return changeLabels(step, finding)
  }
}

async function getTarget({ get, prefix }: Step<'target'>, finding: Finding): Promise<readonly Problem[]> {
  const { run, invocation, rows, found } = finding
  const { pinned, identity } = invocation
  const capability = capabilityNamed(invocation, get)
  const got = await getRow(run, { pinned, capability, arguments: new Map(), ...(identity && { identity }) })
  if (!got.ok || got.missing) return got.problems ?? []
  rows.set(prefix, got.row)
  const exact = exactFieldsOf(finding, capability)
  for (const [name, value] of Object.entries(got.row.values))
    found.set(`${prefix}_${name}`, exact(name, value))
  return []
}

async function getReferred(step: Step<'reference'>, finding: Finding): Promise<readonly Problem[]> {
  const { run, invocation } = finding
  const { pinned } = invocation
  const value = given(invocation, step.parameter)
  if (value === undefined) return []
  const capability = capabilityNamed(invocation, step.get)
  const identity = identityOf(entityOf({ pinned, capability }), value)
  const got = await getRow(run, { pinned, capability, arguments: new Map(), ...(identity && { identity }) })
  if (!got.ok || got.missing) return got.problems ?? []
  fill(finding, step.found, { row: got.row, capability })
  return []
}

async function pick(step: Step<'pick'>, finding: Finding): Promise<readonly Problem[]> {
  const { invocation } = finding
  const wanted = given(invocation, step.equals)
  if (wanted === undefined || (step.when !== undefined && given(invocation, step.when) === undefined))
    return []
  const capability = capabilityNamed(invocation, step.query)
  const bound = new Map<string, Json>()
  for (const { parameter, value } of step.bindings) {
    const known = valueOf(value, finding)
    if (known !== undefined) bound.set(parameter, known)
  }
  const row = await oneRow(
    { capability, bound, field: step.field, wanted, fields: step.found.map((one) => one.field) },
    finding,
  )
  if (!row.ok) return row.problems
  fill(finding, step.found, { row: row.value, capability })
  return []
}

/** The labels that the target has, and those that the arguments name: their ids together. */
async function changeLabels(step: Step<'labels'>, finding: Finding): Promise<readonly Problem[]> {
  const { invocation, rows, found } = finding
  const [add, remove] = [given(invocation, step.add), given(invocation, step.remove)]
  if (add === undefined && remove === undefined) return []
  const held = walk(rows.get(step.prefix)?.raw, step.path)
  const nodes = isList(held) ? held : child(held, 'nodes')
  if (!isList(nodes)) {
    // Without them, the labels that the row has would be taken from it.
    const path = [...step.path, 'nodes'].join('.')
    return [problem('unexpected_answer', { ...whereOf(invocation), path, found: 'no list of labels' })]
  }
  const ids = new Set(nodes.flatMap((node) => scalarText(child(node, 'id')) ?? []))
  const capability = capabilityNamed(invocation, step.query)
  for (const [wanted, change] of [
    [add, (id: string) => ids.add(id)],
    [remove, (id: string) => ids.delete(id)],
  ] as const) {
    if (wanted === undefined) continue
    const row = await oneRow({ capability, bound: new Map(), field: 'name', wanted, fields: ['id'] }, finding)
    if (!row.ok) return row.problems
    const id = scalarText(rowValue(row.value, ['id']))
    if (id === undefined) return [problem('hole_no_identity', { text: capability.entity })]
    change(id)
  }
  found.set(step.variable, [...ids])
  return []
}

interface Sought {
  readonly capability: Capability
  readonly bound: ReadonlyMap<string, Json>
  readonly field: string
  readonly wanted: Json
  /** What is asked of the row. */
  readonly fields: readonly string[]
}

/** The only row of a list whose field is what an argument says. All of it is read: a second one might come later. */
async function oneRow(
  { capability, bound, field, wanted, fields }: Sought,
  { run, invocation }: Finding,
): Promise<Result<LiveRow>> {
  const { pinned } = invocation
  const where = whereOf({ pinned, capability })
  const values = new Map<string, ExactJson>()
  for (const [name, value] of bound) {
    const slot = capability.parameters.find((parameter) => parameter.name === name)
    const fitted = slot ? checkedValue(slot, value, { catalog: pinned.catalog, where, run }) : ok(value)
    if (!fitted.ok) return fitted
    values.set(name, fitted.value)
  }
  const read = await readRows(run, {
    invocation: { pinned, capability, arguments: values },
    filters: [],
    wanted: Infinity,
    needs: [field],
  })
  if (read.failed || forbidsEffects(read.missing)) return failed(read.problems)
  const rows = read.rows.filter((row) => {
    const value = rowValue(row, [field])
    return value !== undefined && value !== null && sameValue(value, wanted)
  })
  const [row] = rows
  if (!row || rows.length > 1) {
    const value = scalarText(wanted) ?? JSON.stringify(wanted)
    return failed([
      problem('not_picked', { ...where, entity: capability.entity, field, value, count: rows.length }),
    ])
  }
  const thin = { pinned, entity: entityOf({ pinned, capability }), rows: [row], fields }
  const filled = await hydrate(run, {
    ...thin,
    ...(capability.provides && { provided: capability.provides }),
  })
  return filled.missing ? failed(filled.problems) : ok(filled.rows[0] ?? row)
}

function fill(
  finding: Finding,
  wanted: readonly Found[],
  { row, capability }: { readonly row: LiveRow; readonly capability: Capability },
): void {
  const exact = exactFieldsOf(finding, capability)
  for (const { variable, field } of wanted) {
    const value = rowValue(row, [field])
    if (value !== undefined && value !== null) finding.found.set(variable, exact(field, value))
  }
}

/** Gives values of the capability's rows as they are sent. */
function exactFieldsOf({ invocation }: Finding, capability: Capability) {
  const { catalog } = invocation.pinned
  const fields = fieldsOf(entityOf({ pinned: invocation.pinned, capability }))
  return (name: string, value: Json): ExactJson => {
    const field = fields.get(name)
    return field ? exactValue(field.type, value, catalog) : value
  }
}

function valueOf(value: PreflightValue, { invocation, rows }: Finding): Json | undefined {
  switch (value.kind) {
    case 'literal':
      return value.value
    case 'parameter':
      return given(invocation, value.name)
    case 'target': {
      const row = rows.get(value.prefix)
      // What a reference narrows to an id stands whole in the API's answer.
      return row && (rowValue(row, value.path) ?? walk(row.raw, value.path))
    }
  }
}

/** An argument, unless it is absent or null. */
function given({ arguments: values }: Invocation, name: string): Json | undefined {
  const value = values.get(name) ?? undefined
  return value === undefined ? undefined : digitsAsText(value)
}

function identityOf({ key }: Entity, value: Json): Readonly<Record<string, string>> | undefined {
  const [only] = key
  if (key.length > 1) {
    const slots = compoundSlots(key, value)
    return slots && Object.fromEntries(slots)
  }
  const text = scalarText(value) ?? (only === undefined ? undefined : scalarText(child(value, only)))
  return only === undefined || text === undefined ? undefined : { [only]: text }
}

function capabilityNamed({ pinned: { catalog } }: Invocation, name: string): Capability {
  const capability = indexOf(catalog).capabilities.get(name)
  if (!capability) throw new Error(`a call of ${catalog.id} begins with ${name}, which is none`)
  return capability
}
