import { isLaterTeaching, type SessionReuseKey } from './identity.ts'

/** The layout of records that this version writes. */
const RECORD_SCHEMA = 1

/**
 * Was it written by a newer version: in a layout, or with symbols numbered in a way, of which nothing is known? Whoever went
 * on with it would give its symbols another meaning, or take it back and forth between the versions.
 */
export function isNewer(record: { readonly schema: number; readonly row: ExecuteRow }): boolean {
  return record.schema > RECORD_SCHEMA || isLaterTeaching(record.row.key.plugin_generation_id)
}

/**
 * A logical session as it is stored: who owns it, its intent and the ordered waves. Symbols, teaching text and the
 * checker's scope are derived from it. Plain data: any store keeps it as canonical JSON.
 */
export interface SessionRecord {
  /** Of this layout. A store hands newer ones back as they are, and no call goes on with one. */
  readonly schema: typeof RECORD_SCHEMA
  /** 22 characters of base64url: the key under which every store keeps the record. */
  readonly address: string
  /** The address as a UUID of version 8. */
  readonly logicalSessionId: string
  /** The tenant scope as a tagged tuple, the whole input of the address: compared in full on every hit. */
  readonly scope: readonly string[]
  /** Absent where the session was opened without one (HTTP only). */
  readonly intent?: string
  /** `domain_revision`: the number of waves so far; 1 at the first. */
  readonly revision: number
  readonly waves: readonly Wave[]
  /** The session that this one was forked from: its waves were copied at that revision. */
  readonly parent?: { readonly address: string; readonly revision: number }
  readonly row: ExecuteRow
  /** Milliseconds on the store's clock. */
  readonly createdAt: number
  /** When the logical record itself ends (idle for 30 days by default). */
  readonly expiresAt: number
  /** Made by the caller of each commit: a commit that timed out finds its own id and knows that it was applied. */
  readonly commit: string
}

/** One call that taught something: what was picked, by catalog in code-unit order. */
export interface Wave {
  /** 1 for the first of the record; never restarts. */
  readonly revision: number
  /** Which execute row (1, 2, …) the wave belongs to. */
  readonly generation: number
  readonly picks: readonly CatalogPick[]
  /**
   * Numbers of every kind that are left unused before this wave: given where the store went back in time, so that a
   * symbol whose wave was lost becomes unknown instead of another.
   */
  readonly skip?: number
}

/**
 * Entities of one catalog under one digest. A pick without entities retires what earlier waves taught under another
 * digest: their symbols are dead from then on.
 */
export interface CatalogPick {
  readonly catalog: string
  /** Empty where the catalog is gone. */
  readonly digest: string
  /** How much of an entity is exposed. One lens so far: everything. */
  readonly lens: 'all'
  /** In code-unit order, each once. */
  readonly entities: readonly string[]
}

/** The live binding of a logical session: what the seed calls `(prompt_hash, session)`. */
export interface ExecuteRow {
  readonly generation: number
  readonly key: SessionReuseKey
  /** SHA-256 (hex) of the generation's first wave. */
  readonly promptHash: string
  /** 32 lowercase hex digits derived from the address and the generation. */
  readonly session: string
  readonly openedAt: number
  /** Idle expiry in milliseconds on the store's clock: a comparison at load, never an event. */
  readonly expiresAt: number
}
