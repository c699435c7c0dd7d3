import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../../base/cache-size.ts'
import type { Clock } from '../../../base/clock.ts'
import type { StoreEpoch } from './store-epoch.ts'
import type { Functions } from './functions.ts'
import type { Keys, PrincipalTag } from './keys.ts'
import type { Link } from './link.ts'
import { RESERVED_MS } from './name-functions.ts'
import type { RedisParts } from './parts.ts'
import { stamp, texts } from './reply.ts'

/** An immutable line of the index. The session's own key decides whether the name is still valid. */
export interface Named {
  readonly ordinal: number
  readonly at: number
  readonly address: string
  readonly member: string
}

/** Addresses cached by name. */
const REMEMBERED = 50_000

/** Names examined, of the oldest and at random, when a principal has reached its limit. */
const LOOKED_AT = 64

/** Principals' names for sessions: numbers in each principal's own slot. */
export class Names {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #epoch: StoreEpoch
  readonly #clock: Clock | undefined
  /** A number never names another session, so it is resolved once. */
  readonly #addresses = new LRUCache<string, string>(entriesUpTo(REMEMBERED))
  readonly #sweeps = new Set<Promise<void>>()

  constructor({ link, functions, keys, epoch, clock }: RedisParts) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#epoch = epoch
    this.#clock = clock
  }

  /**
   * Reserves a number for a session that is about to be committed; the commit makes it a name. Returns undefined if the
   * principal already has `most` names. Only a sample of its names is searched for ones that ended.
   *
   * @param until when the principal expires, if it does
   */
  async reserve(
    principal: PrincipalTag,
    address: string,
    most?: number,
    until?: number,
  ): Promise<string | undefined> {
    const [now, ordinal, ...sample] = await this.#reserve(principal, address, most, until)
    if (ordinal !== null && ordinal !== undefined) {
      this.#sweep(principal, Number(now), sample)
      return ordinal
    }
    if (most === undefined) throw new Error('the store gave a session no number')
    const [, given] = await this.#reserve(
      principal,
      address,
      most + (await this.#ended(principal, Number(now))),
    )
    return given ?? undefined
  }

  async #reserve(principal: PrincipalTag, address: string, most?: number, until?: number) {
    const keys = this.#keys.names(principal, address)
    return texts(
      await this.#epoch.numbered((floor) =>
        this.#functions.call('reserve', keys, [stamp(this.#clock), address, floor, most ?? '', until ?? '']),
      ),
    )
  }

  /** Samples the oldest names and random ones: drops those that ended and counts those that still occupy the index. */
  async #ended(principal: PrincipalTag, now: number): Promise<number> {
    const index = this.#keys.nameIndex(principal)
    const samples = await Promise.all([
      this.#link.send(['ZRANGE', index, 0, LOOKED_AT - 1]),
      this.#link.send(['ZRANDMEMBER', index, LOOKED_AT]),
    ])
    const members = new Set(samples.flatMap((sample) => texts(sample)))
    const named = [...members].flatMap((member) => toNamed(member ?? '') ?? [])
    await this.#drop(principal, named.filter(isOld(now)))
    const ended = await this.#ofNoSession(
      principal,
      named.filter((one) => !isOld(now)(one)),
    )
    // A reserved name is about to be committed, and counts.
    const reserved = await Promise.all(
      ended.map(({ address }) => this.#link.send(['EXISTS', this.#keys.names(principal, address)[2]])),
    )
    return reserved.filter((count) => Number(count) === 0).length
  }

  /** Drops the reservation: the session's next name is a new one. */
  async unreserve(principal: PrincipalTag, address: string): Promise<void> {
    const [, , reserved] = this.#keys.names(principal, address)
    await this.#link.send(['DEL', reserved])
  }

  remember(principal: PrincipalTag, ordinal: number, address: string): void {
    this.#addresses.set(`${principal}:${ordinal}`, address)
  }

  /** The address that the number was allocated for; undefined for an unallocated number. */
  async addressOf(principal: PrincipalTag, ordinal: number): Promise<string | undefined> {
    const known = this.#addresses.get(`${principal}:${ordinal}`)
    if (known !== undefined) return known
    const index = this.#keys.nameIndex(principal)
    const [member] = texts(await this.#link.send(['ZRANGE', index, ordinal, ordinal, 'BYSCORE']))
    const named = member ? toNamed(member) : undefined
    if (named) this.remember(principal, ordinal, named.address)
    return named?.address
  }

  /** The names below a number, newest first. */
  async below(principal: PrincipalTag, ordinal: number, limit: number): Promise<readonly Named[]> {
    const from = Number.isFinite(ordinal) ? `(${ordinal}` : '+inf'
    const range = [
      'ZRANGE',
      this.#keys.nameIndex(principal),
      from,
      '-inf',
      'BYSCORE',
      'REV',
      'LIMIT',
      0,
      limit,
    ]
    return texts(await this.#link.send(range)).flatMap((member) => toNamed(member ?? '') ?? [])
  }

  /** Waits for background sweeps. */
  async settle(): Promise<void> {
    await Promise.all(this.#sweeps)
  }

  /** Drops ended names in the sample, up to four with each new name, so that they cannot accumulate. */
  #sweep(principal: PrincipalTag, now: number, sample: readonly (string | null)[]): void {
    const old = sample.flatMap((member) => toNamed(member ?? '') ?? []).filter(isOld(now))
    if (old.length === 0) return
    const sweep = this.#drop(principal, old)
      .catch(() => undefined) // The next name sweeps again.
      .finally(() => this.#sweeps.delete(sweep))
    this.#sweeps.add(sweep)
  }

  async #drop(principal: PrincipalTag, candidates: readonly Named[]): Promise<void> {
    const ended = (await this.#ofNoSession(principal, candidates)).map(({ member }) => member)
    if (ended.length > 0) await this.#link.send(['ZREM', this.#keys.nameIndex(principal), ...ended])
  }

  async #ofNoSession(principal: PrincipalTag, candidates: readonly Named[]): Promise<readonly Named[]> {
    const held = await Promise.all(
      candidates.map(({ address, ordinal }) =>
        this.#functions.call(
          'holds_name',
          [this.#keys.session(address)],
          [stamp(this.#clock), principal, ordinal],
        ),
      ),
    )
    return candidates.filter((_, index) => Number(held[index]) === 0)
  }
}

/** Is it too old to belong to a pending commit? */
function isOld(now: number): (named: Named) => boolean {
  return ({ at }) => at < now - 2 * RESERVED_MS
}

function toNamed(member: string): Named | undefined {
  const [, ordinal, at, address] = /^(\d+):(\d+):(.*)$/s.exec(member) ?? []
  if (address === undefined) return undefined
  return { ordinal: Number(ordinal), at: Number(at), address, member }
}
