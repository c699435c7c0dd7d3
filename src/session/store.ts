import type { Catalog } from '../catalog/model.ts'
import type { SessionRecord } from './record.ts'

/** A principal as one text: the canonical form of its tagged tuple. */
export type PrincipalKey = string

/** The key of an anonymous caller, for one session: it grants access to that session only and is dropped with it. */
export function bearerKey(address: string): PrincipalKey {
  return `~${address}`
}

/** The answer to one look-up. */
export interface Found {
  /** The record, whether or not its row is live; null when there is none, or it has expired. */
  readonly record: SessionRecord | null
  /** The n of the principal's `sN` for it; null where this principal has no name for it. */
  readonly ordinal: number | null
  /** The revision up to which rows were delivered to this principal, as far as is known; 0 if nothing is known. */
  readonly delivered: number
  /** The store's clock, in milliseconds since the epoch: expiry is compared with no other clock. */
  readonly now: number
  /**
   * The store may have lost commits that it had acknowledged since the record was written, or, where there is none, the record
   * itself (it came back as another process, or from a replica or an older copy): how many numbers the next wave has to `skip`.
   */
  readonly lost?: number | undefined
}

/** A session that a principal has a name for. */
export interface Listed {
  readonly ordinal: number
  readonly record: SessionRecord
  /** The store's clock, in milliseconds since the epoch. */
  readonly now: number
}

export type Committed =
  | { readonly committed: true; readonly ordinal: number }
  /**
   * Another commit was first: the current record. Or the store may have lost commits (`lost`) and the new waves skip no
   * numbers.
   */
  | {
      readonly committed: false
      readonly current: SessionRecord | null
      readonly now: number
      readonly lost?: number | undefined
      /** Nothing was stored: the principal has names for as many sessions as it may. */
      readonly full?: true
    }

/**
 * Where logical sessions live. An implementation promises: what a commit answered is durable in the sense of its kind
 * (memory: the process; SQLite: the disk) before the promise resolves; commits to one address are serial; a name is never
 * reused for another session; `find` and `commit` are one round trip each.
 */
export interface SessionStore {
  /** By address, whatever names the principal has: the address is derived from a scope that the caller proved. */
  findByAddress(principal: PrincipalKey, address: string): Promise<Found>
  /** By a principal's own name for it (`sN` or the long form): without such a name, a miss like any unknown ref. */
  findByRef(
    principal: PrincipalKey,
    ref: { readonly ordinal: number } | { readonly address: string },
  ): Promise<Found>
  /**
   * Compare-and-set: stores `next` if the record's `commit` is still that of `previous` (null: there is none), and gives
   * the principal its name for it. Catalog models that the record pins are kept at least as long as the record.
   *
   * @param most names for live sessions that the principal may have: a commit that would give one more is refused
   */
  commit(
    principal: PrincipalKey,
    previous: SessionRecord | null,
    next: SessionRecord,
    most?: number,
  ): Promise<Committed>
  /** Moves the idle expiry of a live row, outside compare-and-set: never backwards, and only of that generation. */
  touch(address: string, generation: number, rowExpiresAt: number, recordExpiresAt: number): Promise<void>
  /**
   * Notes that an answer with every row up to this revision was written to the principal. Never moves backwards. If the
   * note is lost, the rows are taught again, which is safe; rows are never withheld.
   */
  markDelivered(principal: PrincipalKey, address: string, revision: number): Promise<void>
  /** The sessions that the principal has a name for, newest name first. */
  list(principal: PrincipalKey, limit: number): Promise<readonly Listed[]>
  /** Drops the principal's name for the session; the record ends with its last name. False when there was none. */
  close(principal: PrincipalKey, address: string): Promise<boolean>
  /**
   * Keeps a model under its digest: for a day, and as long as a record names it. Storing one again is free; a commit stores
   * again what was dropped meanwhile.
   */
  keepModel(digest: string, model: Catalog): Promise<void>
  model(digest: string): Promise<Catalog | null>
}
