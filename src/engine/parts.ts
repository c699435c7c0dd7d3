import type { Caller } from '../access/caller.ts'
import type { EffectPolicy } from '../access/policy.ts'
import type { SessionContext } from '../access/session-context.ts'
import type { Workspaces } from '../access/workspace.ts'
import type { Clock } from '../base/clock.ts'
import type { Emit } from '../base/event.ts'
import type { Secrets } from '../base/hash.ts'
import type { CatalogSource } from '../catalog/source.ts'
import type { SentenceModel, WordTable } from '../discovery/embedder.ts'
import type { Budget } from '../execution/budget.ts'
import type { TemplateRenderer } from '../execution/template.ts'
import type { Mcp } from '../execution/mcp.ts'
import type { Wire } from '../execution/wire.ts'
import type { Store } from './store.ts'

/** How long things live and how much of them there may be. Times in milliseconds. */
export interface Limits {
  /** Idle life of an execute row. */
  readonly rowLifeMs: number
  /** Idle life of the logical record. */
  readonly recordLifeMs: number
  readonly planLifeMs: number
  readonly pageLifeMs: number
  readonly snapshotLifeMs: number
  readonly effectLifeMs: number
  readonly seedsPerCall: number
  readonly entitiesPerSession: number
  readonly wavesPerSession: number
  /** Sessions that a principal has a name for. */
  readonly sessionsPerPrincipal: number
  /** Of one principal in one session at a time, as are the pages, snapshots and effects. */
  readonly plansPerSession: number
  readonly pagesPerSession: number
  readonly snapshotsPerSession: number
  readonly snapshotBytes: number
  /** Under way at a time in one process; further ones wait. */
  readonly runsPerPrincipal: number
  /** Characters of the rows that one answer carries, as JSON. */
  readonly answerLength: number
  /** Lines of the ledger. */
  readonly effectsPerSession: number
  /** Transcripts of conversations that a principal has, and the bytes after which one takes no further turn. */
  readonly conversationsPerPrincipal: number
  readonly conversationBytes: number
  /** Of everything that a principal has, over all sessions. */
  readonly bytesPerPrincipal: number
}

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** `stop`: the rows behind it are not sent. `continue`: they are. */
type LoopPolicy = 'stop' | 'continue'

export const DEFAULT_LIMITS: Limits = {
  rowLifeMs: HOUR,
  recordLifeMs: 30 * DAY,
  planLifeMs: 10 * MINUTE,
  pageLifeMs: DAY,
  snapshotLifeMs: 7 * DAY,
  effectLifeMs: 30 * DAY,
  seedsPerCall: 100,
  entitiesPerSession: 1000,
  wavesPerSession: 500,
  sessionsPerPrincipal: 10_000,
  plansPerSession: 10_000,
  pagesPerSession: 2000,
  snapshotsPerSession: 200,
  snapshotBytes: 8 * 1024 * 1024,
  runsPerPrincipal: 4,
  answerLength: 16 * 1024 * 1024,
  effectsPerSession: 10_000,
  conversationsPerPrincipal: 10_000,
  conversationBytes: 32 * 1024 * 1024,
  bytesPerPrincipal: 256 * 1024 * 1024,
}

/** The default limits with the lifetimes that an operator chose, in ms. */
export function limitsWith(lifetimes: Lifetimes): Limits {
  const { row, record, plan, page, snapshot, effect } = lifetimes
  const standard = DEFAULT_LIMITS
  const recordLifeMs = record ?? standard.recordLifeMs
  return {
    ...standard,
    // A record outlives its rows: it is what they are opened again from.
    rowLifeMs: row ?? Math.min(standard.rowLifeMs, recordLifeMs),
    recordLifeMs,
    planLifeMs: plan ?? standard.planLifeMs,
    pageLifeMs: page ?? standard.pageLifeMs,
    snapshotLifeMs: snapshot ?? standard.snapshotLifeMs,
    effectLifeMs: effect ?? standard.effectLifeMs,
  }
}

/** How long stored data lives, in ms; absent: the default. */
export type Lifetimes = {
  readonly [name in 'row' | 'record' | 'plan' | 'page' | 'snapshot' | 'effect']?: number | undefined
}

/** The caller's limits: anonymous data expires with its session's row. */
export function limitsOf(caller: Caller, limits: Limits): Limits {
  if (!caller.isAnonymous) return limits
  const lifeMs = limits.rowLifeMs
  return { ...limits, recordLifeMs: lifeMs, pageLifeMs: lifeMs, snapshotLifeMs: lifeMs, effectLifeMs: lifeMs }
}

/** The parts of an engine: its ports, and the values that come from outside. */
export interface Parts {
  readonly store: Store
  /** Do other processes answer the same readers from this store? Then each finds what another is delivering. */
  readonly isShared: boolean
  readonly catalogs: CatalogSource
  readonly workspaces: Workspaces
  readonly wire: Wire
  readonly render: TemplateRenderer
  /** The MCP servers as a session may call them; absent where none are served. */
  readonly mcp?: (session: SessionContext) => Mcp
  /** The vectors of words, loaded when they are first needed. */
  readonly wordTable: () => Promise<WordTable>
  /** Compares goals with catalogs by whole sentences; absent: by words alone. */
  readonly sentenceModel?: SentenceModel
  readonly clock: Clock
  /** Lets other work of the process go on before this of a principal continues. */
  readonly pause: (principal: string) => Promise<void>
  /** The deployment's secrets, the newest first: equal on all nodes. */
  readonly secrets: Secrets
  /** 128 random bits in hex, new at each call. */
  readonly newId: () => string
  /**
   * Repeats the work, each time so many milliseconds after the last one ended, until the returned function is called. An
   * error of the work does not stop it.
   */
  readonly every: (ms: number, work: () => Promise<void>) => () => void
  readonly limits: Limits
  readonly budget: Budget
  /** Receives every event. */
  readonly emit: Emit
  /** What a caller may do with a write or side effect of a catalog. */
  readonly effectPolicy: (catalog: string) => EffectPolicy
  /** How a loop of changes proceeds after a row that the API refused. */
  readonly loopPolicy: (catalog: string) => LoopPolicy
  /** Does data of other catalogs go into reads of this one only from a reviewed plan? */
  readonly readFlowPolicy: (catalog: string) => 'allow' | 'review'
}
