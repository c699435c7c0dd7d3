import { LRUCache } from 'lru-cache'
import { freeze } from '../../base/freeze.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'

/** The record as text, as every store keeps it. */
export function recordToText(record: SessionRecord): string {
  return JSON.stringify(record)
}

/**
 * Parses a record, with the expiries that are stored beside its text: a touch changes only those.
 *
 * @param rowExpiresAt milliseconds since the epoch, as is `expiresAt`
 */
export function recordFromText(text: string, rowExpiresAt: number, expiresAt: number): SessionRecord {
  const record: SessionRecord = JSON.parse(text)
  return { ...record, row: { ...record.row, expiresAt: rowExpiresAt }, expiresAt }
}

/** How long a catalog model is kept that no record names. */
export const UNNAMED_MS = 24 * 3_600_000

/**
 * Limits of the cache of parsed records: their number, and the characters of all of them together. An active session is
 * read many times, but one that grows leaves its earlier versions behind.
 */
const KEPT = { records: 10_000, characters: 16 * 1024 * 1024 }

/** Parses records, and caches each for as long as its text and expiries are unchanged. */
export class RecordReader {
  readonly #read = new LRUCache<string, SessionRecord>({
    maxSize: KEPT.characters,
    // So no more of them fit than are wanted; `max` would allocate the room of all at once.
    sizeCalculation: (_, kept) => Math.max(kept.length, Math.ceil(KEPT.characters / KEPT.records)),
  })
  readonly #textOf: (kept: string) => string

  /** @param textOf decodes the stored text of a record */
  constructor(textOf: (kept: string) => string = (kept) => kept) {
    this.#textOf = textOf
  }

  /** Like `recordFromText`; returns the same frozen object for the same text and expiries. */
  read(kept: string, rowExpiresAt: number, expiresAt: number): SessionRecord {
    const known = this.#read.get(kept)
    const record = this.#made(kept, rowExpiresAt, expiresAt, known)
    if (record !== known) this.#read.set(kept, record)
    return record
  }

  /** The same without caching: for listings. */
  glance(kept: string, rowExpiresAt: number, expiresAt: number): SessionRecord {
    return this.#made(kept, rowExpiresAt, expiresAt, this.#read.peek(kept))
  }

  #made(kept: string, rowExpiresAt: number, expiresAt: number, known: SessionRecord | undefined) {
    if (known?.expiresAt === expiresAt && known.row.expiresAt === rowExpiresAt) return known
    return freeze(recordFromText(this.#textOf(kept), rowExpiresAt, expiresAt))
  }
}

/** The catalog models that the record pins. */
export function digestsOf({ waves }: SessionRecord): string[] {
  const digests = waves.flatMap(({ picks }) => picks.map(({ digest }) => digest))
  return [...new Set(digests)].filter((digest) => digest !== '')
}

/** Does the later record skip numbers that the earlier one did not? */
export function skipsAnew(previous: SessionRecord | null, next: SessionRecord): boolean {
  return next.waves.slice(previous?.waves.length ?? 0).some(({ skip = 0 }) => skip > 0)
}

/** Rejects a commit that no engine may ask for: a bug, so it throws. */
export function assertCommittable(previous: SessionRecord | null, next: SessionRecord): void {
  if (previous !== null && previous.address !== next.address)
    throw new Error('a commit may not move a record to another address')
  if (isNewer(next)) throw new Error('a record of a newer layout is not ours to write')
}
