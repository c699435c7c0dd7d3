import type { ExactJson } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { sha256 } from '../../base/hash.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Capability } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import { stoppedBy, throughout } from '../completeness.ts'
import { columnsOf } from '../http/response/decode.ts'
import { compoundSlots } from '../http/request/environment.ts'
import { entityNameOf, type Invocation, whereOf } from '../invocation.ts'
import type { EffectOutcome } from '../outcome.ts'
import { at, problem, type Where } from '../problems.ts'
import { fillArguments, identityOf, singleRow } from '../read/operand.ts'
import type { LiveRow } from '../row.ts'
import type { NodeRun, NodeResult } from '../run.ts'
import { type Answered, type Prepared, prepareCall, type Sent } from '../source.ts'
import type { Given } from '../table.ts'
import { capabilityOf, catalogOf } from './node.ts'
import { afterPreflight } from './preflight.ts'

type Call = Extract<Operation, { kind: 'call' }>

/** A call that is ready to leave, or to be completed by what is read right before it. */
export interface Ready {
  readonly invocation: Invocation
  /** Absent where reads come first. */
  readonly prepared?: Prepared
}

/** One create, update, delete or action. */
export async function runCall(operation: Call, step: NodeRun): Promise<NodeResult> {
  const ready = readyCall(operation, step)
  if (ready.ok) return sendReady(ready.value, step, 0)
  noteUnsent(operation, step, [0], ready.problems[0])
  return ready
}

/** The call with everything filled in and checked: nothing has left yet. */
export function readyCall(operation: Call, step: NodeRun, cursor?: LiveRow): Result<Ready> {
  const filled = fill(operation, step, cursor)
  if (!filled.ok) return filled
  const invocation = filled.value
  if (invocation.capability.preflight) return ok({ invocation })
  const prepared = prepareCall(step.run, invocation)
  return prepared.ok ? ok({ invocation, prepared: prepared.value }) : prepared
}

/** What a call came to. `refused`: by the API, for what it was called with; a call with other values may fare better. */
type Called =
  Extract<NodeResult, { ok: true }> | (Extract<NodeResult, { ok: false }> & { readonly refused?: boolean })

/** Sends a call: recorded before it leaves, never sent twice, its end recorded after. */
export async function sendReady(ready: Ready, step: NodeRun, row: number): Promise<Called> {
  const completed = await complete(ready, step)
  if (!completed.ok) {
    const { capability, pinned } = ready.invocation
    const call = { step, row, called: { capability, pinned } }
    if (capability.effect !== 'read') record(call, 'not_sent', completed.problems[0])
    return completed
  }
  const { invocation, prepared } = completed.value
  const effect = { step, row, called: invocation }
  // An action that changes nothing is a read like any other.
  const sent =
    invocation.capability.effect === 'read' ? await prepared.read() : await sendEffect(effect, prepared)
  if (!sent.ok) return { ...failed([sent.problem]), refused: 'refused' in sent && sent.refused }
  const partial = 'partial' in sent ? sent.partial : undefined
  if (partial) step.warn(partial)
  const missing = partial ? throughout(stoppedBy(partial)) : null
  return ok({ ...tableOf(invocation, sent), missing })
}

/** The call with what is read right before it: later than that of the rows before, so that it sees what they did. */
async function complete({ invocation, prepared }: Ready, { run }: NodeRun): Promise<Result<Required<Ready>>> {
  if (prepared) return ok({ invocation, prepared })
  const found = await afterPreflight(run, invocation)
  if (!found.ok) return found
  const completed = prepareCall(run, found.value)
  return completed.ok ? ok({ invocation: found.value, prepared: completed.value }) : completed
}

/** Records effects that were never sent. */
export function noteUnsent(operation: Call, step: NodeRun, rows: readonly number[], found?: Problem): void {
  const pinned = catalogOf(step.run, step.node)
  const capability = capabilityOf(pinned, operation.capability)
  if (capability.effect === 'read') return
  for (const row of rows) record({ step, row, called: { pinned, capability } }, 'not_sent', found)
}

/** Fills identity and arguments, from the row that the call is made on where there is one. */
function fill(operation: Call, step: NodeRun, cursor: LiveRow | undefined): Result<Invocation> {
  const pinned = catalogOf(step.run, step.node)
  const capability = capabilityOf(pinned, operation.capability)
  const where = whereOf({ pinned, capability })
  const sources = { run: step.run, ...(cursor && { cursor }) }
  const target =
    operation.source === undefined
      ? undefined
      : singleRow(step.run, operation.source, step.run.nameOf(operation.source))
  const slots = fillArguments(operation.identity, pinned.catalog, where, sources)
  const given = fillArguments(operation.arguments, pinned.catalog, where, sources)
  const problems = [target, slots, given].flatMap((part) => (part && !part.ok ? part.problems : []))
  if (problems.length > 0 || !slots.ok || !given.ok) return failed(problems)
  const key = indexOf(pinned.catalog).entities.get(capability.entity)?.key ?? []
  const named = identityOf(spread(slots.value, key))
  const identity = named ?? (target?.ok ? target.value.identity : undefined)
  if (target?.ok && !identity)
    return failed([problem('hole_no_identity', { text: step.run.nameOf(operation.source ?? '') })])
  return ok({ pinned, capability, arguments: given.value, ...(identity && { identity }) })
}

/** A compound identity that came as one value is its slots. */
function spread(
  slots: ReadonlyMap<string, ExactJson>,
  key: readonly string[],
): ReadonlyMap<string, ExactJson> {
  const [value] = slots.values()
  if (slots.size !== 1 || key.length < 2 || value === undefined) return slots
  return new Map(compoundSlots(key, value) ?? slots)
}

/** One write or side effect of a step. */
interface Effect {
  readonly step: NodeRun
  /** 0 for a single call, else the row of the `each`. */
  readonly row: number
  readonly called: Pick<Invocation, 'pinned' | 'capability' | 'identity'>
}

type EffectSent =
  /** Without rows: it was done, and its answer could not be read. */
  | ({ readonly ok: true; readonly partial?: Problem } & Partial<Answered>)
  | { readonly ok: false; readonly problem: Problem; readonly refused?: boolean }

async function sendEffect(effect: Effect, prepared: Prepared): Promise<EffectSent> {
  const { step, row, called } = effect
  const { run, node } = step
  const where = whereOf(called)
  const refuse = (found: Problem): EffectSent => {
    record(effect, 'not_sent', found)
    return { ok: false, problem: found }
  }
  const forbidden = forbids(effect)
  if (forbidden) return refuse(forbidden)
  const { identity } = called
  const claimed = await run.world.ledger
    .claim({ node: node.id, row, ...where, ...(identity && { identity }) })
    .catch(() => undefined)
  if (claimed !== true) {
    if (typeof claimed === 'object') return refuse(claimed)
    return refuse(claimed === false ? problem('effect_refused', where) : problem('effect_unrecorded', where))
  }
  return settle(effect, await prepared.effect(keyOf(effect)))
}

function forbids({ step: { run }, called }: Effect): Problem | undefined {
  const what = at(whereOf(called))
  if (run.world.signal.aborted) return problem('cancelled', { what })
  return run.meter.over(what) ?? run.meter.effect(what)
}

/** The capability as ledgers and hosts name it. */
function nameIn({ catalog, capability }: Where): Pick<Where, 'catalog' | 'capability'> {
  return { catalog, capability }
}

/** The same key for the same effect of the same run, so that an API that knows such keys does it once. */
function keyOf({ step: { run, node }, row }: Effect): string | undefined {
  return run.runId === undefined ? undefined : sha256(`${run.runId}\n${node.id}\n${row}`).slice(0, 32)
}

async function settle(effect: Effect, sent: Sent): Promise<EffectSent> {
  const { step, row, called } = effect
  const where = whereOf(called)
  const { ledger, tellingRead } = step.run.world
  const read = () => tellingRead(entityNameOf(called), called.identity)
  const settled = (state: EffectOutcome['state']) =>
    ledger
      .settle({ node: step.node.id, row }, state)
      .catch(() => step.warn(problem('effect_outcome_unrecorded', { ...where, state })))
  if (sent.ok) {
    await settled('done')
    record(effect, 'done')
    if (sent.value === false) step.warn(problem('answered_false', { ...where, read: read() }))
    return sent
  }
  const reason = sent.problem.message
  if (sent.acted === 'yes') {
    // It happened: what cannot be read of its answer is a warning.
    const found = problem('effect_unread', { ...where, reason, read: read() })
    await settled('done')
    record(effect, 'done', found)
    step.warn(found)
    return { ok: true }
  }
  const state = sent.acted === 'no' ? 'failed' : sent.acted
  const found =
    state === 'unknown' ? problem('effect_unknown', { ...where, reason, read: read() }) : sent.problem
  await settled(state)
  record(effect, state, found)
  return { ok: false, problem: found, refused: sent.acted === 'no' }
}

function record({ step, row, called }: Effect, state: EffectOutcome['state'], found?: Problem): void {
  const outcome = { node: step.node.id, row, ...nameIn(whereOf(called)), state }
  step.effect({ ...outcome, ...(found && { problem: found }) })
}

/** The rows of a call's answer; of one without rows the value that it is. */
function tableOf(invocation: Invocation, { rows, value }: Partial<Answered>): Given {
  const { pinned, capability, identity } = invocation
  const entity = indexOf(pinned.catalog).entities.get(capability.entity)
  const named = entityNameOf(invocation)
  if (hasNoRows(capability) && value !== undefined)
    return { entity: named, columns: ['value'], rows: [{ values: { value } }], missing: null }
  if (!entity || !rows || hasNoRows(capability))
    return { entity: named, columns: [], rows: [], missing: null }
  const kept = rows.length === 0 && identity ? [{ values: identity, identity }] : rows
  return { entity: named, columns: columnsOf(entity, kept), rows: kept, missing: null }
}

function hasNoRows({ kind, effect }: Capability): boolean {
  return kind === 'delete' || effect === 'side_effect'
}
