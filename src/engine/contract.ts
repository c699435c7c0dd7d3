import { z } from 'zod'
import type { Json } from '../base/canonical.ts'
import type { Problem } from '../base/diagnostic.ts'
import type { CatalogSource } from '../catalog/source.ts'
import type { Announced } from '../access/announced.ts'
import type { Caller } from '../access/caller.ts'
import type { DiscoveryRow } from '../discovery/rows.ts'
import type { Plan } from '../language/plan/plan.ts'
import type { RootResult, Usage, EffectOutcome } from '../execution/outcome.ts'

/*
 * The one contract of every surface. Inputs are these schemas, in this order of keys; unknown keys are ignored. Sizes are
 * checked where they mean something (bytes of an intent), not here, so that every mistake gets its own sentence.
 */

const seed = z.object({
  api: z.string().optional(),
  entry_id: z.string().optional(),
  entity: z.string(),
})

export const contextInput = z.object({
  intent: z.string().optional(),
  logical_session_ref: z.string().optional(),
  seeds: z.array(seed).optional(),
  have: z.string().optional(),
  fork_of: z.string().optional(),
  workspace: z.string().optional(),
})

export const discoverInput = z.object({
  intent: z.string(),
  typed: z.boolean().optional(),
  max_options: z.number().int().min(1).max(32).optional(),
  allowed_entry_ids: z.array(z.string()).optional(),
  workspace: z.string().optional(),
})

export const planInput = z.object({
  logical_session_ref: z.string(),
  program: z.string(),
  reasoning: z.string().optional(),
  workspace: z.string().optional(),
})

export const runInput = z.object({
  logical_session_ref: z.string(),
  program: z.string(),
  reasoning: z.string().optional(),
  workspace: z.string().optional(),
  plan: z.string().optional(),
})

/** Another session of the same principal that looks like the same work. Information for hosts: sessions are never merged. */
export interface Relation {
  readonly kind: 'overlaps' | 'forked_from' | 'same_conversation'
  readonly logical_session_ref: string
  /** `api:Entity`: what both sessions expose. */
  readonly shared: readonly string[]
}

/** What hosts read beside the text, as `_meta.plasm`. Each kind of answer has its own part of it. */
export interface Meta {
  readonly logical_session_ref?: string
  /** Of a context. */
  readonly continuity?: Continuity
  readonly domain_revision?: number
  readonly relations?: readonly Relation[]
  /** Of a discovery that left rows out. */
  readonly discovery?: {
    readonly truncated: boolean
    readonly shown: number
    readonly omitted: number
    /** The best of the rows left out. */
    readonly top_omitted: readonly { readonly api: string; readonly entity: string }[]
  }
  /** Of a plan. */
  readonly dry_run?: true
  readonly plan?: string
  /** Of a run: one for each root. */
  readonly steps?: readonly {
    readonly return_label: string
    readonly row_count: number
    readonly partial?: string
    /** Of partial rows: in how many they were found, where conditions were evaluated here. */
    readonly rows_searched?: number
    readonly artifact_uri?: string
  }[]
  readonly paging?: readonly {
    readonly return_label: string
    readonly has_more: true
    readonly count: number
    readonly next_page_handle: string
  }[]
}

/** The answer to a call: text for the reader, `_meta.plasm` for hosts, and facts for surfaces that carry fields. */
export type Reply<Facts> =
  | {
      readonly ok: true
      readonly text: string
      readonly meta: Meta
      readonly facts: Facts
      /**
       * The surface calls this once the whole answer was written to the client: only then do its rows count as
       * delivered. Absent if the answer teaches nothing.
       */
      readonly markDelivered?: () => Promise<void>
    }
  /** `text` states every problem, with places and what to do next. */
  | {
      readonly ok: false
      readonly text: string
      readonly problems: readonly Problem[]
      /** A person has to agree first: the surface asks and sends the same call again. */
      readonly confirm?: Confirmation
      /** For a run without results: the outcome of its changes, and its usage. */
      readonly facts?: Facts
    }

/** What a person has to agree to if the operator's policy says `confirm`. */
export interface Confirmation {
  /** `pc1` */
  readonly plan: string
  /** The plan as a person reads it: every step, and every change with the most calls that it may make. */
  readonly review: string
  /** Sent back as `confirmed`, runs this plan of this caller and nothing else. No text that a model reads shows it. */
  readonly code: string
}

export interface Continuity {
  readonly stale_binding_recovered: boolean
  readonly new_symbol_space: boolean
  readonly discard_cached_plasm_symbols?: true
  readonly previous_execute?: { readonly prompt_hash: string; readonly session_id: string }
}

export interface ContextFacts {
  /** The execute row existed before this call and is still the current one. */
  readonly reused: boolean
  readonly logicalSessionRef: string
  readonly longRef: string
  readonly promptHash: string
  readonly session: string
  readonly revision: number
  readonly continuity: Continuity
}

export interface DiscoverFacts {
  readonly rows: readonly DiscoveryRow[]
  readonly truncated: boolean
}

export interface PlanFacts {
  /** `pc1`: what `plasm_run` takes as `plan`. */
  readonly planRef: string
  /** It changes data, or moves data in a way that the operator wants reviewed: it is run by its ref. */
  readonly needsReview: boolean
  readonly plan: Plan
}

export interface RunFacts {
  readonly logicalSessionRef: string
  readonly results: readonly (RootResult & {
    /** `s0_pg1`: what `page(...)` takes for the next page. */
    readonly nextPage?: string
    /** `plasm://session/s0/r/1`: every computed row. */
    readonly snapshot?: string
  })[]
  readonly effects: readonly EffectOutcome[]
  readonly usage: Usage
  /** What went wrong although something was done or read. */
  readonly problems: readonly Problem[]
}

export interface SessionFacts {
  readonly logicalSessionRef: string
  readonly longRef: string
  readonly alive: boolean
  readonly promptHash: string
  readonly session: string
  readonly revision: number
  readonly intent?: string
  readonly entities: readonly {
    readonly symbol: string
    readonly api: string
    readonly entity: string
    readonly live: boolean
  }[]
}

export interface TableFacts extends SessionFacts {
  /** The teaching table as TSV: the header and the rows, without a final line break. */
  readonly table: string
}

export interface RegistryFacts {
  readonly entries: readonly {
    readonly entry_id: string
    readonly description?: string
    readonly aliases: readonly string[]
    readonly catalog_cgs_hash: string
    readonly entities: number
    readonly capabilities: number
  }[]
}

export interface SnapshotFacts {
  readonly uri: string
  readonly results: readonly Json[]
}

/** What a surface knows about a request beside its input. */
export interface CallOptions {
  /** What the host announced. The input's own `workspace` takes precedence. */
  readonly announced?: Announced
  /** Catalogs that the session of this call carries. */
  readonly own?: OwnCatalogs
}

/**
 * Catalogs that one session carries, and no other session sees: such as the MCP servers that an editor brings along. A surface
 * gives them with every call of that session, as long as it serves them.
 *
 * They are taught and called like any other catalog, under the caller's rights. They count only for calls that name this
 * session, by its intent or its ref, and for calls that name none (`discover`, `registry`): a call that names another session
 * has the deployment's catalogs alone. Where a call comes without them, as from another process, what the session was
 * taught of them keeps its meaning and cannot be called (`catalog_gone`). Of two catalogs with the same id, the deployment's is
 * served.
 */
export interface OwnCatalogs {
  /** Of the session, as `context` is called with. */
  readonly intent: string
  readonly catalogs: CatalogSource
}

export interface ContextOptions extends CallOptions {
  /**
   * The surface may open sessions without an intent: without intent and ref, the reuse key and all seeds identify the
   * session.
   */
  readonly withoutIntent?: boolean
}

/** A call to an API while a run is under way: once when it is sent, once when it ended. Never a value or a row. */
export interface ApiCall {
  /** Within its run: 1, 2, … in the order of sending. */
  readonly number: number
  readonly catalog: string
  readonly capability: string
  /** May it change data? */
  readonly isEffect: boolean
  /** Absent while it is under way. */
  readonly end?: {
    readonly ok: boolean
    /** Of HTTP; 0 without an answer. */
    readonly status?: number
    readonly ms: number
    readonly problem?: Problem
  }
}

export interface RunOptions extends CallOptions {
  readonly signal: AbortSignal
  /** Receives each call to an API as it is sent and as it ends. Must not throw and must not block. */
  readonly progress?: ((call: ApiCall) => void) | undefined
  /** The `code` of a `Confirmation` that a person agreed to, from a channel that the model cannot write to. */
  readonly confirmed?: string
}

/**
 * The engine: every request of every surface. `input` is whatever came in; the engine validates it. Nothing here rejects
 * for what a caller, a program or an API did; a rejection is our own fault or lost infrastructure.
 */
export interface Gateway {
  context(caller: Caller, input: unknown, options?: ContextOptions): Promise<Reply<ContextFacts>>
  discover(caller: Caller, input: unknown, options?: CallOptions): Promise<Reply<DiscoverFacts>>
  /** `plasm`: checks and plans; calls nothing. */
  plan(caller: Caller, input: unknown, options?: CallOptions): Promise<Reply<PlanFacts>>
  /** `plasm_run`: a refusal if it gave nothing but problems; with some rows or changes it is an answer. */
  run(caller: Caller, input: unknown, options: RunOptions): Promise<Reply<RunFacts>>
  /** A session as the caller may see it, by its ref or its intent; does not count as use. */
  session(caller: Caller, name: string | { readonly intent: string }): Promise<Reply<SessionFacts>>
  sessions(caller: Caller): Promise<Reply<{ readonly sessions: readonly SessionFacts[] }>>
  close(caller: Caller, ref: string): Promise<Reply<{ readonly closed: boolean }>>
  /** The whole teaching table of a session: all rows that answers have carried so far. */
  table(caller: Caller, ref: string): Promise<Reply<TableFacts>>
  /** One more page of a handle (`s0_pg1`), as `page(...)` in a program gives it. */
  page(
    caller: Caller,
    handle: string,
    options: RunOptions & { readonly limit?: number },
  ): Promise<Reply<RunFacts>>
  /** By `plasm://session/<ref>/r/<n>`. */
  snapshot(caller: Caller, uri: string): Promise<Reply<SnapshotFacts>>
  registry(caller: Caller, options?: CallOptions): Promise<Reply<RegistryFacts>>
}
