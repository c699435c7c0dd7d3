import type { Caller } from '../access/caller.ts'
import type { Wire } from '../execution/wire.ts'
import type { SessionRecord } from '../session/record.ts'
import type { Repeats } from './context/repeats.ts'
import { limitsOf, type Parts } from './parts.ts'
import type { Deliveries } from './session/deliveries.ts'
import type { Models } from './session/models.ts'

/** What one engine remembers between calls. All of it can be lost: the store holds what it is derived from. */
export interface Memory {
  readonly models: Models
  readonly deliveries: Deliveries
  readonly repeats: Repeats
}

/** What a call reports about itself while it runs. */
export interface CallWatch {
  /** The wire, with an event for each API call. */
  readonly wire: Wire
  /** Notes which session the call is about. */
  readonly about: (record: SessionRecord) => void
}

/** One call of one caller, with everything that its work may use: the engine's parts, its memory and the call's watch. */
export interface Call extends Parts, Memory, CallWatch {
  readonly caller: Caller
}

/** Spelled out, because every call gets its own object and spreading the parts costs many times as much. */
export function callOf(parts: Parts, memory: Memory, caller: Caller, { wire, about }: CallWatch): Call {
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
  } = parts
  const { models, deliveries, repeats } = memory
  return {
    caller,
    store,
    isShared,
    catalogs,
    wire,
    clock,
    secrets,
    newId,
    every,
    limits: limitsOf(caller, limits),
    budget,
    emit,
    about,
    effectPolicy,
    loopPolicy,
    models,
    deliveries,
    repeats,
  }
}
