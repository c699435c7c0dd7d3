import { LRUCache } from 'lru-cache'
import { freeze } from '../../base/freeze.ts'
import { isNewer, type SessionRecord } from '../../session/record.ts'

/** The record as text, as every store keeps it. */
export function recordToText(record: SessionRecord): string {
  return JSON.stringify(record)
}

/**
 * The record of a text, with the expiries that are kept beside it: a touch moves those and leaves the text alone.
 *
 * @param rowExpiresAt milliseconds since the epoch, as is `expiresAt`
 */
export function recordFromText(text: string, rowExpiresAt: number, expiresAt: number): SessionRecord {
  const record: SessionRecord = JSON.parse(text)
  return { ...record, row: { ...record.row, expiresAt: rowExpiresAt }, expiresAt }
}

/** How long a catalog model is kept that no record names yet, or no longer. */
export const UNNAMED_MS = 24 * 3_600_000

/**
 * How many records are kept read, and how many characters they may have together: a session in use is read again and again,
 * but one that grows leaves all that it was behind.
 */
const KEPT = { max: 10_000, maxSize: 16 * 1024 * 1024 }

/** Reads records, and keeps what it read for as long as their text and expiries are the same. */
export class RecordReader {
  readonly #read = new LRUCache<string, SessionRecord>({
    ...KEPT,
    sizeCalculation: (_, kept) => 1 + kept.length,
  })
  readonly #textOf: (kept: string) => string

  /** @param textOf the text of a record, as it was kept */
  constructor(textOf: (kept: string) => string = (kept) => kept) {
    this.#textOf = textOf
  }

  /** As `recordFromText`; the same frozen object for the same text and expiries. */
  read(kept: string, rowExpiresAt: number, expiresAt: number): SessionRecord {
    const known = this.#read.get(kept)
    const record = this.#made(kept, rowExpiresAt, expiresAt, known)
    if (record !== known) this.#read.set(kept, record)
    return record
  }

  /** The same of a session that is only looked at, as listings do: nothing is kept for it. */
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

/** Does the later record leave out numbers that were not left out before? */
export function skipsAnew(previous: SessionRecord | null, next: SessionRecord): boolean {
  return next.waves.slice(previous?.waves.length ?? 0).some(({ skip = 0 }) => skip > 0)
}

/** Refuses a commit that no engine may ask for: our own mistake, so it is thrown. */
export function assertCommittable(previous: SessionRecord | null, next: SessionRecord): void {
  if (previous !== null && previous.address !== next.address)
    throw new Error('a commit may not move a record to another address')
  if (isNewer(next)) throw new Error('a record of a newer layout is not ours to write')
}
