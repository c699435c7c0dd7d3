import type { Clock } from '../../../base/clock.ts'
import type { Catalog } from '../../../catalog/model.ts'
import type { SessionRecord } from '../../../session/record.ts'
import {
  bearerKey,
  type Committed,
  type Found,
  type Listed,
  type PrincipalKey,
  type SessionStore,
} from '../../../session/store.ts'
import { assertCommittable, digestsOf, RecordReader, recordToText, UNNAMED_MS } from '../stored.ts'
import { Names } from './names.ts'
import { packed, unpacked } from './packed.ts'
import { sweeper } from './sweep.ts'

/** One session: its packed text, and beside it what a touch changes. */
interface Kept {
  readonly packed: string
  rowExpiresAt: number
  expiresAt: number
  /** The principals with a name for it: the session ends with the last. Replaced rather than pushed to, to save memory. */
  namedBy: readonly Names[]
}

/** Logical sessions in the memory of this process. Every method is done before it returns, so commits are serial. */
export class MemorySessions implements SessionStore {
  readonly #clock: Clock
  readonly #reader = new RecordReader(unpacked)
  readonly #sessions = new Map<string, Kept>()
  readonly #names = new Map<PrincipalKey, Names>()
  readonly #models = new Map<string, { readonly model: Catalog; until: number }>()
  readonly #sweep = sweeper(() => this.#expired())

  constructor(clock: Clock) {
    this.#clock = clock
  }

  /** Is there a session, or an expired one that was not removed yet? */
  has(address: string): boolean {
    return this.#sessions.has(address)
  }

  async findByAddress(principal: PrincipalKey, address: string): Promise<Found> {
    return this.#found(address, this.#names.get(principal))
  }

  async findByRef(
    principal: PrincipalKey,
    ref: { readonly ordinal: number } | { readonly address: string },
  ): Promise<Found> {
    const names = this.#names.get(principal)
    const address = 'address' in ref ? ref.address : names?.addressOf(ref.ordinal)
    if (address === undefined || names?.ordinalOf(address) === undefined)
      return { record: null, ordinal: null, delivered: 0, now: this.#clock.now() }
    return this.#found(address, names)
  }

  async commit(
    principal: PrincipalKey,
    previous: SessionRecord | null,
    next: SessionRecord,
    most = Infinity,
  ): Promise<Committed> {
    assertCommittable(previous, next)
    this.#sweep()
    const now = this.#clock.now()
    const kept = this.#alive(next.address, now)
    const current = kept ? this.#record(kept) : null
    if (current?.commit === next.commit)
      return { committed: true, ordinal: this.#name(principal, next.address) }
    if (current?.commit !== previous?.commit) return { committed: false, current, now }
    if (this.#isFull(principal, next.address, most, now))
      return { committed: false, current, now, full: true }
    const { row, expiresAt } = next
    const namedBy = kept?.namedBy ?? []
    this.#sessions.set(next.address, {
      packed: packed(recordToText(next)),
      rowExpiresAt: row.expiresAt,
      expiresAt,
      namedBy,
    })
    this.#hold(next)
    return { committed: true, ordinal: this.#name(principal, next.address) }
  }

  async touch(
    address: string,
    generation: number,
    rowExpiresAt: number,
    recordExpiresAt: number,
  ): Promise<void> {
    const now = this.#clock.now()
    const kept = this.#alive(address, now)
    if (!kept || kept.rowExpiresAt <= now || this.#record(kept).row.generation !== generation) return
    kept.rowExpiresAt = Math.max(kept.rowExpiresAt, rowExpiresAt)
    if (kept.expiresAt >= recordExpiresAt) return
    kept.expiresAt = recordExpiresAt
    this.#hold(this.#record(kept))
  }

  async markDelivered(principal: PrincipalKey, address: string, revision: number): Promise<void> {
    this.#names.get(principal)?.markDelivered(address, revision)
  }

  async list(principal: PrincipalKey, limit: number): Promise<readonly Listed[]> {
    const now = this.#clock.now()
    const listed: Listed[] = []
    for (const [ordinal, address] of this.#names.get(principal)?.newestFirst() ?? []) {
      if (listed.length >= limit) break
      const kept = this.#alive(address, now)
      if (!kept) continue
      const record = this.#reader.glance(kept.packed, kept.rowExpiresAt, kept.expiresAt)
      listed.push({ ordinal, record, now })
    }
    return listed
  }

  async close(principal: PrincipalKey, address: string): Promise<boolean> {
    this.#sweep()
    const kept = this.#alive(address, this.#clock.now())
    const names = this.#names.get(principal)
    if (!kept || names?.ordinalOf(address) === undefined) return false
    names.drop(address)
    kept.namedBy = kept.namedBy.filter((other) => other !== names)
    if (kept.namedBy.length === 0) this.#end(address)
    return true
  }

  async keepModel(digest: string, model: Catalog): Promise<void> {
    const until = this.#clock.now() + UNNAMED_MS
    const kept = this.#models.get(digest)
    if (kept) kept.until = Math.max(kept.until, until)
    else this.#models.set(digest, { model, until })
  }

  async model(digest: string): Promise<Catalog | null> {
    return this.#models.get(digest)?.model ?? null
  }

  #found(address: string, names: Names | undefined): Found {
    const now = this.#clock.now()
    const kept = this.#alive(address, now)
    if (!kept) return { record: null, ordinal: null, delivered: 0, now }
    const ordinal = names?.ordinalOf(address) ?? null
    return { record: this.#record(kept), ordinal, delivered: names?.deliveredOf(address) ?? 0, now }
  }

  /** The session unless it has expired; an expired one is removed with all names for it. */
  #alive(address: string, now: number): Kept | undefined {
    const kept = this.#sessions.get(address)
    if (!kept || kept.expiresAt > now) return kept
    for (const names of kept.namedBy) names.drop(address)
    this.#end(address)
    return undefined
  }

  #end(address: string): void {
    this.#sessions.delete(address)
    this.#names.delete(bearerKey(address))
  }

  #name(principal: PrincipalKey, address: string): number {
    let names = this.#names.get(principal)
    if (!names) this.#names.set(principal, (names = new Names()))
    const kept = this.#sessions.get(address)
    if (kept && names.ordinalOf(address) === undefined) kept.namedBy = [...kept.namedBy, names]
    return names.ordinalFor(address)
  }

  /** Would the principal exceed its limit of names? */
  #isFull(principal: PrincipalKey, address: string, most: number, now: number): boolean {
    const names = this.#names.get(principal)
    if (!names || names.size < most || names.ordinalOf(address) !== undefined) return false
    for (const [, named] of names.newestFirst()) this.#alive(named, now)
    return names.size >= most
  }

  /** Keeps the models that the record pins at least as long as the record. */
  #hold(record: SessionRecord): void {
    for (const digest of digestsOf(record)) {
      const kept = this.#models.get(digest)
      if (kept) kept.until = Math.max(kept.until, record.expiresAt)
    }
  }

  #record(kept: Kept): SessionRecord {
    return this.#reader.read(kept.packed, kept.rowExpiresAt, kept.expiresAt)
  }

  *#expired(): Generator<void> {
    for (const address of this.#sessions.keys()) {
      this.#alive(address, this.#clock.now())
      yield
    }
    for (const [digest, { until }] of this.#models) {
      if (until <= this.#clock.now()) this.#models.delete(digest)
      yield
    }
  }
}
