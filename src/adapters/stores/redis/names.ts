import { LRUCache } from 'lru-cache'
import type { Clock } from '../../../base/clock.ts'
import type { Birth } from './birth.ts'
import type { Functions } from './functions.ts'
import type { Keys, PrincipalTag } from './keys.ts'
import type { Link } from './link.ts'
import { RESERVED_MS } from './name-functions.ts'
import { stamp, texts } from './reply.ts'

/** A line of the index. It never changes: whether the name still holds, the session's own key says. */
export interface Named {
  readonly ordinal: number
  readonly at: number
  readonly address: string
  readonly member: string
}

/** How many addresses are remembered by their names. */
const REMEMBERED = 50_000

/** Principals' names for sessions: numbers in each principal's own slot. */
export class Names {
  readonly #link: Link
  readonly #functions: Functions
  readonly #keys: Keys
  readonly #birth: Birth
  readonly #clock: Clock | undefined
  /** A number never names another session, so it is asked for once. */
  readonly #addresses = new LRUCache<string, string>({ max: REMEMBERED })
  readonly #sweeps = new Set<Promise<void>>()

  constructor(link: Link, functions: Functions, keys: Keys, birth: Birth, clock: Clock | undefined) {
    this.#link = link
    this.#functions = functions
    this.#keys = keys
    this.#birth = birth
    this.#clock = clock
  }

  /** A number for a session that is about to be committed. It names nothing until the commit says so. */
  async reserve(principal: PrincipalTag, address: string): Promise<string> {
    const keys = this.#keys.names(principal, address)
    const reply = await this.#birth.numbered((floor) =>
      this.#functions.call('reserve', keys, [stamp(this.#clock), address, floor]),
    )
    const [now, ordinal, ...sample] = texts(reply)
    if (ordinal === null || ordinal === undefined) throw new Error('the store gave a session no number')
    this.#sweep(principal, Number(now), sample)
    return ordinal
  }

  /** Forgets what was reserved: the session's next name is a new one. */
  async unreserve(principal: PrincipalTag, address: string): Promise<void> {
    const [, , reserved] = this.#keys.names(principal, address)
    await this.#link.send(['DEL', reserved])
  }

  remember(principal: PrincipalTag, ordinal: number, address: string): void {
    this.#addresses.set(`${principal}:${ordinal}`, address)
  }

  /** The address that the number was given for; nothing where it was given for none. */
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

  /** Waits for what was begun in passing. */
  async settle(): Promise<void> {
    await Promise.all(this.#sweeps)
  }

  /** Lets go of names in the sample that hold no more: with each new name up to four, so that they cannot pile up. */
  #sweep(principal: PrincipalTag, now: number, sample: readonly (string | null)[]): void {
    const old = sample
      .flatMap((member) => toNamed(member ?? '') ?? [])
      .filter((named) => named.at < now - 2 * RESERVED_MS)
    if (old.length === 0) return
    const sweep = this.#drop(principal, old)
      .catch(() => undefined) // The next name sweeps again.
      .finally(() => this.#sweeps.delete(sweep))
    this.#sweeps.add(sweep)
  }

  async #drop(principal: PrincipalTag, candidates: readonly Named[]): Promise<void> {
    const held = await Promise.all(
      candidates.map(({ address, ordinal }) =>
        this.#functions.call(
          'holds_name',
          [this.#keys.session(address)],
          [stamp(this.#clock), principal, ordinal],
        ),
      ),
    )
    const ended = candidates.filter((_, index) => Number(held[index]) === 0).map(({ member }) => member)
    if (ended.length > 0) await this.#link.send(['ZREM', this.#keys.nameIndex(principal), ...ended])
  }
}

function toNamed(member: string): Named | undefined {
  const [, ordinal, at, address] = /^(\d+):(\d+):(.*)$/s.exec(member) ?? []
  if (address === undefined) return undefined
  return { ordinal: Number(ordinal), at: Number(at), address, member }
}
