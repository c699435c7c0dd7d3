import type { Caller } from '../access/caller.ts'
import type { Wire } from '../execution/wire.ts'
import type { SessionRecord } from '../session/record.ts'
import type { Repeats } from './memory/repeats.ts'
import { limitsOf, type Parts } from './parts.ts'
import type { Deliveries } from './memory/deliveries.ts'
import type { Models } from './memory/models.ts'

/** What one engine remembers between calls. All of it can be lost: the store holds what it is derived from. */
export interface Memory {
  readonly models: Models
  readonly deliveries: Deliveries
  readonly repeats: Repeats
}

/** Watches one call: it is the call's wire, with an event for each API call. */
export interface CallWatch extends Wire {
  /** Notes which session the call is about. */
  about(record: SessionRecord): void
}

/** One call of one caller, with everything that its work may use: the engine's parts, its memory and the call's watch. */
export interface Call extends Parts, Memory {
  readonly caller: Caller
  readonly watch: CallWatch
}

/** Spelled out, because every call gets its own object and spreading the parts costs many times as much. */
export function callOf(parts: Parts, memory: Memory, caller: Caller, watch: CallWatch): Call {
  const {
    store,
    isShared,
    catalogs,
    clock,
    secrets,
    newId,
    every,
    limits,
    budget,
    emit,
    effectPolicy,
    loopPolicy,
    readFlowPolicy,
  } = parts
  const { models, deliveries, repeats } = memory
  return {
    caller,
    store,
    isShared,
    catalogs,
    wire: watch,
    clock,
    secrets,
    newId,
    every,
    limits: limitsOf(caller, limits),
    budget,
    emit,
    watch,
    effectPolicy,
    loopPolicy,
    readFlowPolicy,
    models,
    deliveries,
    repeats,
  }
}
