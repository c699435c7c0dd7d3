import type { Json } from '../../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { sha256 } from '../../base/hash.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, Catalog } from '../../catalog/model.ts'
import type { Operation } from '../../language/plan/plan.ts'
import type { Invocation } from '../invocation.ts'
import type { EffectOutcome } from '../outcome.ts'
import { fillArguments, identityOf, singleRow } from '../read/operand.ts'
import { afterPreflight } from './preflight.ts'
import { compoundSlots } from '../http/request/environment.ts'
import { problem } from '../problems.ts'
import { buildCall } from '../http/request/build.ts'
import { columnsOf, decodeRow } from '../http/response/decode.ts'
import { locateRows } from '../http/response/rows.ts'
import type { Step, Stepped, Table } from '../run.ts'
import type { LiveRow } from '../row.ts'
import { sendEffect, sendRead, type CallResult } from '../read/upstream.ts'
import type { WireCall, WireReply } from '../wire.ts'
import { capabilityOf, catalogOf } from './query.ts'

type Call = Extract<Operation, { kind: 'call' }>

/** A call that is ready to leave, or to be completed by what is read right before it. */
export interface Ready {
  readonly invocation: Invocation
  readonly call?: WireCall
  readonly digest: string
}

/** One create, update, delete or action. */
export async function runCall(operation: Call, step: Step): Promise<Stepped> {
  const ready = readyCall(operation, step)
  if (ready.ok) return sendReady(ready.value, step, 0)
  noteUnsent(operation, step, [0], ready.problems[0])
  return ready
}

/** The call with everything filled in and checked: nothing has left yet. */
export function readyCall(operation: Call, step: Step, cursor?: LiveRow): Result<Ready> {
  const { catalog, digest } = catalogOf(step.run, step.node)
  const invocation = prepare(operation, step, catalog, capabilityOf(catalog, operation.capability), cursor)
  if (!invocation.ok) return invocation
  if (invocation.value.capability.preflight) return ok({ invocation: invocation.value, digest })
  const call = buildCall(invocation.value, step.run.world.sessionId)
  return call.ok ? ok({ invocation: invocation.value, call: call.value, digest }) : call
}

/** What a call came to. `refused`: by the API, for what it was called with; a call with other values may fare better. */
type Called =
  Extract<Stepped, { ok: true }> | (Extract<Stepped, { ok: false }> & { readonly refused?: boolean })

/** Sends a call: recorded before it leaves, never sent twice, its end recorded after. */
export async function sendReady(ready: Ready, step: Step, row: number): Promise<Called> {
  const { digest } = ready
  const { catalog, capability } = ready.invocation
  const completed = await complete(ready, step)
  if (!completed.ok) {
    if (capability.effect !== 'read')
      record(step, capability, catalog, row, 'not_sent', completed.problems[0])
    return completed
  }
  const { invocation, call } = completed.value
  const sent = await send(step, invocation, call, row)
  if (!sent.ok) return { ...failed([sent.problem]), refused: sent.refused === true }
  return ok(sent.reply ? answered(invocation, digest, sent.reply) : noRows(catalog, digest, capability))
}

/** The call with what is read right before it: later than that of the rows before, so that it sees what they did. */
async function complete(
  { invocation, call }: Ready,
  { run }: Step,
): Promise<Result<{ readonly invocation: Invocation; readonly call: WireCall }>> {
  if (call) return ok({ invocation, call })
  const found = await afterPreflight(run, invocation)
  if (!found.ok) return found
  const built = buildCall(found.value, run.world.sessionId)
  return built.ok ? ok({ invocation: found.value, call: built.value }) : built
}

/** Tells of effects that were never sent. */
export function noteUnsent(operation: Call, step: Step, rows: readonly number[], found?: Problem): void {
  const { catalog } = catalogOf(step.run, step.node)
  const capability = capabilityOf(catalog, operation.capability)
  if (capability.effect === 'read') return
  for (const row of rows) record(step, capability, catalog, row, 'not_sent', found)
}

/** Fills identity and arguments, from the row that the call is made on where there is one. */
function prepare(
  operation: Call,
  step: Step,
  catalog: Catalog,
  capability: Capability,
  cursor: LiveRow | undefined,
): Result<Invocation> {
  const where = { catalog: catalog.id, capability: capability.name }
  const sources = { run: step.run, ...(cursor && { cursor }) }
  const target =
    operation.source === undefined
      ? undefined
      : singleRow(step.run, operation.source, step.run.nameOf(operation.source))
  const slots = fillArguments(operation.identity, catalog, where, sources)
  const given = fillArguments(operation.arguments, catalog, where, sources)
  const problems = [target, slots, given].flatMap((part) => (part && !part.ok ? part.problems : []))
  if (problems.length > 0 || !slots.ok || !given.ok) return failed(problems)
  const named = identityOf(spread(slots.value, catalog, capability))
  const identity = named ?? (target?.ok ? target.value.identity : undefined)
  if (target?.ok && !identity)
    return failed([problem('hole_no_identity', { text: step.run.nameOf(operation.source ?? '') })])
  return ok({ catalog, capability, arguments: given.value, ...(identity && { identity }) })
}

/** A compound identity that came as one value is its slots. */
function spread(
  slots: ReadonlyMap<string, Json>,
  catalog: Catalog,
  capability: Capability,
): ReadonlyMap<string, Json> {
  const key = indexOf(catalog).entities.get(capability.entity)?.key ?? []
  const [value] = slots.values()
  if (slots.size !== 1 || key.length < 2 || value === undefined) return slots
  return new Map(compoundSlots(key, value) ?? slots)
}

type Sent =
  | { readonly ok: true; readonly reply?: WireReply }
  | { readonly ok: false; readonly problem: Problem; readonly refused?: boolean }

async function send(
  step: Step,
  { capability, identity }: Invocation,
  call: WireCall,
  row: number,
): Promise<Sent> {
  // An action that changes nothing is a read like any other.
  if (capability.effect === 'read') return sendRead(step.run, call, capability)
  const { run, node } = step
  const catalog = call.catalog
  const where = { catalog: catalog.id, capability: capability.name }
  const refuse = (found: Problem): Sent => {
    record(step, capability, catalog, row, 'not_sent', found)
    return { ok: false, problem: found }
  }
  const forbidden = forbids(step, where)
  if (forbidden) return refuse(forbidden)
  const claimed = await run.world.ledger
    .claim({ node: node.id, row, ...where, ...(identity && { identity }) })
    .catch(() => undefined)
  if (claimed !== true) {
    if (typeof claimed === 'object') return refuse(claimed)
    return refuse(
      claimed === false
        ? problem('effect_refused', where)
        : problem('effect_unrecorded', { ...where, sent: false }),
    )
  }
  const result = await sendEffect(run, withKey(call, capability, step, row), capability)
  return settle(step, capability, catalog, row, result)
}

function forbids(
  { run }: Step,
  where: { readonly catalog: string; readonly capability: string },
): Problem | undefined {
  const what = `\`${where.catalog}\` ${where.capability}`
  if (run.world.signal.aborted) return problem('cancelled', { what })
  if (!run.world.allows(where.catalog, where.capability)) return problem('not_allowed', where)
  return run.meter.over(what) ?? run.meter.effect(what)
}

/** The same key for the same effect of the same run, so that an API that knows such keys does it once. */
function withKey(
  call: WireCall,
  { idempotencyHeader }: Capability,
  { run, node }: Step,
  row: number,
): WireCall {
  if (idempotencyHeader === undefined || run.runId === undefined) return call
  const key = sha256(`${run.runId}\n${node.id}\n${row}`).slice(0, 32)
  return { ...call, headers: [...call.headers, [idempotencyHeader, key]] }
}

async function settle(
  step: Step,
  capability: Capability,
  catalog: Catalog,
  row: number,
  result: CallResult,
): Promise<Sent> {
  const { ledger } = step.run.world
  const where = { catalog: catalog.id, capability: capability.name }
  const settled = (state: 'done' | 'failed' | 'unknown') =>
    ledger
      .settle({ node: step.node.id, row }, state)
      .catch(() => step.warn(problem('effect_unrecorded', { ...where, sent: true })))
  if (result.ok) {
    await settled('done')
    record(step, capability, catalog, row, 'done')
    return { ok: true, reply: result.reply }
  }
  const reason = result.problem.message
  if (result.acted === 'yes') {
    // It happened: what cannot be read of its answer is a warning.
    const found = problem('effect_unread', { ...where, reason })
    await settled('done')
    record(step, capability, catalog, row, 'done', found)
    step.warn(found)
    return { ok: true }
  }
  const unknown = result.acted === 'unknown'
  const found = unknown ? problem('effect_unknown', { ...where, reason }) : result.problem
  await settled(unknown ? 'unknown' : 'failed')
  record(
    step,
    capability,
    catalog,
    row,
    unknown ? 'unknown' : result.acted === 'not_sent' ? 'not_sent' : 'failed',
    found,
  )
  return { ok: false, problem: found, refused: result.acted === 'no' }
}

function record(
  step: Step,
  capability: Capability,
  catalog: Catalog,
  row: number,
  state: EffectOutcome['state'],
  found?: Problem,
): void {
  step.effect({
    node: step.node.id,
    row,
    capability: capability.name,
    catalog: catalog.id,
    state,
    ...(found && { problem: found }),
  })
}

/** The rows of a call's answer. A write whose answer holds no row is done all the same. */
function answered(invocation: Invocation, digest: string, reply: WireReply): Table {
  const { catalog, capability, identity } = invocation
  const entity = indexOf(catalog).entities.get(capability.entity)
  const response = capability.request?.response
  if (!entity || !response || capability.kind === 'delete' || capability.effect === 'side_effect')
    return noRows(catalog, digest, capability)
  const located = locateRows(reply.body, response, 'one', invocation.arguments)
  const forced =
    identity !== undefined &&
    entity.key.length === 1 &&
    (capability.kind === 'update' || capability.effect !== 'read')
  const rows = (located.ok ? located.rows : []).flatMap((raw) => {
    const decoded = decodeRow(raw, {
      catalog,
      entity,
      ambient: invocation.arguments,
      forced,
      ...(identity && { requested: identity }),
    })
    return 'row' in decoded ? [decoded.row] : []
  })
  const kept = rows.length === 0 && identity ? [{ values: identity, identity }] : rows
  return {
    entity: { catalog: catalog.id, digest, entity: entity.name },
    columns: columnsOf(entity, kept),
    rows: kept,
  }
}

function noRows(catalog: Catalog, digest: string, capability: Capability): Table {
  return { entity: { catalog: catalog.id, digest, entity: capability.entity }, columns: [], rows: [] }
}
