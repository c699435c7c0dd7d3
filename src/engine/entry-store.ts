/** The owner of stored entries: handles of other owners never resolve to them. */
export interface Owner {
  /** The session's address. */
  readonly address: string
  /** The canonical form of the principal. */
  readonly principal: string
}

/**
 * `plan`: a plan that was shown, and its run. `page`: where to read on. `snapshot`: the rows of a result. `piece`: a part of
 * a large one. `effect`: an entry of the ledger. `loop`: the calls of a loop of effects, as they were before the first left.
 * `lease`: a heartbeat of a run. `alias`: the new address of a session whose address used an older secret. `delivery`: an
 * answer with the session's table is on its way to its reader. `conversation`: a session that was used in a conversation of
 * a host. `latest`: the plan of a program that was run last.
 */
export type EntryKind =
  | 'plan'
  | 'page'
  | 'snapshot'
  | 'piece'
  | 'effect'
  | 'loop'
  | 'lease'
  | 'alias'
  | 'delivery'
  | 'conversation'
  | 'latest'

/** One stored entry of an owner. */
export interface Entry {
  readonly name: string
  /** Starts at 1, grows by one with each replacement. */
  readonly version: number
  /** The stored JSON text. */
  readonly body: string
  /** Milliseconds on the store's clock. */
  readonly expiresAt: number
  /**
   * The store may have lost acknowledged replacements since this was written (it restarted, or came back from a replica or
   * an older copy): an effect that is stored as sent may be done, so its state is `unknown`.
   */
  readonly lost?: boolean
}

export interface NewEntry {
  readonly owner: Owner
  readonly kind: EntryKind
  readonly body: string
  readonly lifeMs: number
  /** Entries of the kind that the owner may hold; expired ones do not count. */
  readonly most?: number
  /** Durable as soon as the next write that is not deferred: a loss of power may take it until then. */
  readonly isDeferred?: boolean
}

/** The next body of the entry of this name. */
export interface Replacement {
  readonly owner: Owner
  readonly kind: EntryKind
  readonly name: string
  /** The version that is replaced. */
  readonly version: number
  readonly body: string
  readonly lifeMs: number
}

/**
 * Entries of a session and a principal: kept until they expire, replaced only by compare-and-set. An expired entry is a
 * miss. A write is durable before its promise resolves, unless it is deferred. Bodies are JSON text that the store does not read.
 */
export interface EntryStore {
  /**
   * Keeps a new entry under the next number (1, 2, …) of its owner and kind, and returns that number; null if the owner holds
   * `most` of the kind. Numbers are never reused.
   */
  append(entry: NewEntry): Promise<number | null>
  /** Keeps a new entry under a name of the caller's choice; false if there is one already, or `most` of the kind. */
  claim(entry: NewEntry & { readonly name: string }): Promise<boolean>
  /** By name; appended entries have their number as name. */
  read(owner: Owner, kind: EntryKind, name: string): Promise<Entry | null>
  /** Replaces the body if the version is still the given one; false if not. */
  replace(entry: Replacement): Promise<boolean>
  /** All entries of a kind, oldest first, at most `limit`. */
  entries(owner: Owner, kind: EntryKind, limit: number): Promise<readonly Entry[]>
  /**
   * Do the bodies that a principal has, over all owners and kinds, and the lines of its transcripts come to so many bytes in
   * UTF-8? What has expired may count for an hour longer, and what was replaced or dropped for as long as it would have lived.
   */
  holdsBytes(principal: string, most: number): Promise<boolean>
}
