import type { Json } from '../base/canonical.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import type { CapabilityCall } from '../catalog/model.ts'
import { type Missing, type Stop, stoppedBy } from './completeness.ts'
import { type Invocation, whereOf } from './invocation.ts'
import type { Meter } from './meter.ts'
import type { Continuation } from './outcome.ts'
import { problem } from './problems.ts'
import type { Reading } from './reading.ts'
import type { LiveRow } from './row.ts'
import type { World } from './world.ts'

/** What all calls of a run share: the world, the budget used so far, and an executor for each kind of call. */
export interface CallContext {
  readonly world: World
  readonly meter: Meter
  readonly sources: Sources
}

type Kind = CapabilityCall['kind']

/** The calls of one kind. */
export type CallOf<K extends Kind> = Extract<CapabilityCall, { kind: K }>

/** The executor of each kind of call: a kind without one does not compile. */
export type Sources = { readonly [K in Kind]: Source<CallOf<K>> }

/** Makes calls of one kind. What the API or the budget refuses is a result; nothing here rejects. */
export interface Source<Call> {
  /** Reads the one row that the invocation identifies. */
  readonly get: (call: Call, invocation: Invocation, context: CallContext) => Promise<Got>
  /** Reads rows until enough of them pass the filters, the API has no more, or the budget is used up. */
  readonly list: (call: Call, reading: Reading, context: CallContext) => Promise<ReadRows>
  /** Fills in and checks a create, update, delete or action, and sends nothing. Absent where calls of this kind only read. */
  readonly prepare?: (call: Call, invocation: Invocation, context: CallContext) => Result<Prepared>
}

export type Got =
  | {
      readonly ok: true
      readonly row: LiveRow
      /** What the reader should know of a row that is composed of others. */
      readonly problems?: readonly Problem[]
      /** What the row is composed of and could not be read whole. */
      readonly missing: Missing | null
    }
  | {
      readonly ok: false
      readonly problem: Problem
      readonly problems: readonly Problem[]
      readonly why: Stop
    }

export interface ReadRows {
  readonly rows: readonly LiveRow[]
  readonly missing: Missing | null
  readonly continuation?: Continuation
  /** What ended the reading early, and what the reader should know. */
  readonly problems: readonly Problem[]
  /** Nothing was read at all, for this reason. */
  readonly failed?: Stop
}

/** A call that is filled in and checked, and not sent yet. */
export interface Prepared {
  /** Sends it as a read. */
  readonly read: () => Promise<Sent>
  /**
   * Sends it as an effect, once: after it has left, the answer is awaited even if the run is cancelled.
   *
   * @param key the same for the same effect of the same run, for APIs that take an idempotency key
   */
  readonly effect: (key: string | undefined) => Promise<Sent>
}

/** What the answer of a call holds. */
export interface Answered {
  readonly rows: readonly LiveRow[]
  /** What it is instead of rows: a text, a number or a truth value. */
  readonly value?: Json
}

export type Sent =
  /** `partial`: why a part of the rows is missing. */
  | ({ readonly ok: true; readonly partial?: Problem } & Answered)
  | {
      readonly ok: false
      readonly problem: Problem
      readonly why: Stop
      /** May the API have acted on it? `not_sent`: it never left. */
      readonly acted: 'not_sent' | 'no' | 'unknown' | 'yes'
      /** Of the API's answer, where it has one. */
      readonly status?: number
    }

/** Reads the one row that a get's arguments name. */
export async function getRow(context: CallContext, invocation: Invocation): Promise<Got> {
  const call = callOf(invocation)
  return call.ok
    ? sourceOf(context, call.value.kind).get(call.value, invocation, context)
    : notGot(call.problems)
}

/** Reads rows until enough are there, the API is done or the budget is. Rows that were read are always kept. */
export async function readRows(context: CallContext, reading: Reading): Promise<ReadRows> {
  const call = callOf(reading.invocation)
  return call.ok
    ? sourceOf(context, call.value.kind).list(call.value, reading, context)
    : nothingRead(call.problems)
}

/** A list read that gave nothing, for these problems. */
export function nothingRead(problems: readonly Problem[], why: Stop = 'failed'): ReadRows {
  const [first] = problems
  return { rows: [], problems, missing: first ? stoppedBy(first, why) : null, failed: why }
}

/** A create, update, delete or action with everything filled in and checked: nothing has left yet. */
export function prepareCall(context: CallContext, invocation: Invocation): Result<Prepared> {
  const call = callOf(invocation)
  if (!call.ok) return call
  const { prepare } = sourceOf(context, call.value.kind)
  return prepare ? prepare(call.value, invocation, context) : unsupported(invocation, NO_REQUEST)
}

/** A get that failed for these problems. */
export function notGot(problems: readonly Problem[], why: Stop = 'failed'): Extract<Got, { ok: false }> {
  const [first] = problems
  if (!first) throw new Error('a failure states a problem')
  return { ok: false, problem: first, problems, why }
}

function sourceOf<K extends Kind>({ sources }: CallContext, kind: K): Source<CallOf<K>> {
  return sources[kind]
}

const NO_REQUEST = ['a request template']

function callOf(invocation: Invocation): Result<CapabilityCall> {
  const { call, unsupported: features } = invocation.capability
  return call && features.length === 0
    ? ok(call)
    : unsupported(invocation, features.length > 0 ? features : NO_REQUEST)
}

function unsupported(invocation: Invocation, features: readonly string[]): Result<never> {
  return failed([problem('unsupported', { ...whereOf(invocation), features })])
}
