import { isLaterTeaching, type SessionReuseKey } from './identity.ts'

/** The layout of records that this version writes. */
const RECORD_SCHEMA = 1

/**
 * Was it written by a newer version, with an unknown layout or unknown numbering? Continuing it would change the meaning of
 * its symbols, or move it back and forth between the versions.
 */
export function isNewer(record: { readonly schema: number; readonly row: ExecuteRow }): boolean {
  return record.schema > RECORD_SCHEMA || isLaterTeaching(record.row.key.plugin_generation_id)
}

/**
 * A logical session as it is stored: its owner, its intent and the ordered waves. Symbols, teaching text and the checker's
 * scope are derived from it. Plain data: any store keeps it as canonical JSON.
 */
export interface SessionRecord {
  /** The layout version. A store returns records of newer layouts unchanged, and no call continues one. */
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
  /** Chosen by the caller of each commit: a retry of a timed-out commit recognizes its own id. */
  readonly commit: string
}

/** The picks of one call that taught something, by catalog in code-unit order. */
export interface Wave {
  /** 1 for the first of the record; never restarts. */
  readonly revision: number
  /** The execute row (1, 2, …) that the wave belongs to. */
  readonly generation: number
  readonly picks: readonly CatalogPick[]
  /**
   * Numbers of every kind that are skipped before this wave: set if the store lost commits, so that a symbol of a lost
   * wave becomes unknown rather than getting another meaning.
   */
  readonly skip?: number
}

/**
 * Entities of one catalog under one digest. A pick without entities retires the symbols that earlier waves taught under
 * another digest.
 */
export interface CatalogPick {
  readonly catalog: string
  /** Empty where the catalog is gone. */
  readonly digest: string
  /** The exposed part of an entity. There is one lens: everything. */
  readonly lens: 'all'
  /** In code-unit order, each once. */
  readonly entities: readonly string[]
}

/** The live binding of a logical session: `(prompt_hash, session)`. */
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
