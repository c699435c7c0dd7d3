import type { PrincipalKey } from '../../session/store.ts'

/** A stored conversation, without its lines. Times in milliseconds on the store's clock. */
export interface Transcript {
  readonly id: string
  /** Grows with each new transcript of the principal. */
  readonly number: number
  /** JSON text that the store does not read. */
  readonly head: string
  /** How many lines it has. */
  readonly lines: number
  /** Of all lines, in UTF-8. */
  readonly bytes: number
  readonly updatedAt: number
  /** Who may append now; empty if no one does. */
  readonly holder: string
  /** When the holder may be replaced by another one. */
  readonly heldUntil: number
  readonly now: number
}

/** What one append changes. */
export interface Addition {
  /** JSON texts, in order. */
  readonly lines: readonly string[]
  /** Replaces the head. */
  readonly head?: string | undefined
  /** How long the holder keeps its place from now on; 0 gives it up. */
  readonly holdMs: number
  /** How long the transcript is kept from now on. */
  readonly lifeMs: number
}

/**
 * Append-only transcripts of conversations, by principal and id. An expired transcript is a miss. A write is durable before
 * its promise resolves. Only its holder appends to a transcript, so the lines of two writers never mix.
 */
export interface TranscriptStore {
  /**
   * Keeps a new transcript without lines. `taken`: the id is in use. `full`: the principal has `most` transcripts.
   */
  begin(
    principal: PrincipalKey,
    id: string,
    head: string,
    limits: { readonly lifeMs: number; readonly most: number },
  ): Promise<'begun' | 'taken' | 'full'>
  find(principal: PrincipalKey, id: string): Promise<Transcript | null>
  /** Newest first, below this number (null: from the newest), at most `limit`. */
  list(principal: PrincipalKey, below: number | null, limit: number): Promise<readonly Transcript[]>
  /**
   * Makes `holder` the holder, if there is none, if its time is over, or if it is the holder already.
   *
   * Gives the transcript as it was before; null if it is missing.
   */
  hold(
    principal: PrincipalKey,
    id: string,
    holder: string,
    holdMs: number,
  ): Promise<{ readonly held: boolean; readonly before: Transcript } | null>
  /** False, and nothing is changed, unless `holder` is still the holder. */
  append(principal: PrincipalKey, id: string, holder: string, addition: Addition): Promise<boolean>
  /** The lines from this index on (0 is the first), at most `limit`. */
  lines(principal: PrincipalKey, id: string, from: number, limit: number): Promise<readonly string[]>
  /** False if there is none. */
  drop(principal: PrincipalKey, id: string): Promise<boolean>
}
