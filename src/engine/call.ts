import type { Caller } from '../access/caller.ts'
import type { CallScope } from '../access/scope.ts'
import type { Mcp } from '../execution/mcp.ts'
import type { Wire } from '../execution/wire.ts'
import type { SessionRecord } from '../session/record.ts'
import type { Repeats } from './memory/repeats.ts'
import { limitsOf, type Parts } from './parts.ts'
import { principalKey } from './session/principal.ts'
import type { Deliveries } from './memory/deliveries.ts'
import type { Models } from './memory/models.ts'
import type { Sentences } from './memory/sentences.ts'
import type { RunPlaces } from './memory/run-places.ts'
import type { Unrecorded } from './memory/unrecorded.ts'

/** What one engine remembers between calls. The store holds what it is derived from, except for outcomes that it could not keep. */
export interface Memory {
  readonly models: Models
  readonly deliveries: Deliveries
  readonly repeats: Repeats
  /** Absent without a model of sentences. */
  readonly sentences: Sentences | undefined
  readonly places: RunPlaces
  readonly unrecorded: Unrecorded
}

/** What an operator should see of how the scope of a call came about. Paths as they were sent, at most 200 characters. */
export interface ScopeNotes {
  /** The announced workspace, where the call itself named another one. */
  readonly overruled?: string
  /** What the host announced and is not used. */
  readonly ignored?: string
}

/** Watches one call: it is the call's wire, with an event for each API call. */
export interface CallWatch extends Wire {
  /** The same servers, with an event for each call to one. */
  mcp(servers: Mcp): Mcp
  /** Notes which session the call is about. */
  about(record: SessionRecord): void
  /** Notes where the call takes place. */
  placed(scope: CallScope, notes: ScopeNotes): void
}

/** One call of one caller, with everything that its work may use: the engine's parts, its memory and the call's watch. */
export interface EngineCall extends Parts, Memory {
  /** With no more rights than the scope leaves. */
  readonly caller: Caller
  readonly scope: CallScope
  readonly watch: CallWatch
  /** Lets other work of the process go on before this call continues. */
  readonly pause: () => Promise<void>
}

/** Spelled out, because every call gets its own object and spreading the parts costs many times as much. */
export function callOf(
  parts: Parts,
  memory: Memory,
  { caller, scope, catalogs, watch }: Pick<EngineCall, 'caller' | 'scope' | 'catalogs' | 'watch'>,
): EngineCall {
  const {
    store,
    isShared,
    workspaces,
    mcp,
    wordTable,
    clock,
    pause,
    render,
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
  const { models, deliveries, repeats, sentences, places, unrecorded } = memory
  return {
    caller,
    scope,
    store,
    isShared,
    catalogs,
    workspaces,
    wire: watch,
    ...(mcp && { mcp }),
    wordTable,
    clock,
    pause: () => pause(principalKey(caller)),
    render,
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
    sentences,
    places,
    unrecorded,
  }
}
