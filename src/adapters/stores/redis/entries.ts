import { randomUUID } from 'node:crypto'
import { utf8Bytes } from '../../../base/canonical.ts'
import type {
  Entry,
  EntryKind,
  EntryStore,
  NewEntry,
  Owner,
  Replacement,
} from '../../../engine/entry-store.ts'
import { tagOf } from './keys.ts'
import type { RedisParts } from './parts.ts'
import { stamp, texts } from './reply.ts'

/** Entries that a listing reads per round trip: they may be large. */
const READ_AT_ONCE = 50

/** Entries in Redis, in the slot of their session. Each write has an id, so that it may safely arrive twice. */
export class RedisEntries implements EntryStore {
  readonly #parts: RedisParts

  constructor(parts: RedisParts) {
    this.#parts = parts
  }

  async append({ owner, kind, body, lifeMs, most }: NewEntry): Promise<number | null> {
    const { link, functions, epoch, keys, clock } = this.#parts
    const names = [keys.entry(owner, kind), ...keys.entryIndex(owner, kind)]
    const number = await epoch.numbered(
      (floor) =>
        functions.call('append', names, [stamp(clock), floor, body, lifeMs, randomUUID(), most ?? '']),
      // Before the store was emptied, another entry had this number.
      (early) => link.send(['UNLINK', keys.entry(owner, kind) + String(early)]),
    )
    if (number === '') return null
    this.#spend(owner, body, lifeMs)
    return Number(number)
  }

  async claim(entry: NewEntry & { readonly name: string }): Promise<boolean> {
    const { owner, kind, name, body, lifeMs, most } = entry
    const { functions, keys, clock } = this.#parts
    const tag = tagOf(name)
    const args = [stamp(clock), tag, JSON.stringify(name), body, lifeMs, randomUUID(), most ?? '']
    const names = [keys.entry(owner, kind) + tag, ...keys.entryIndex(owner, kind)]
    const isClaimed = Number(await functions.call('claim', names, args)) === 1
    if (isClaimed) this.#spend(owner, body, lifeMs)
    return isClaimed
  }

  read(owner: Owner, kind: EntryKind, name: string): Promise<Entry | null> {
    return this.#read(owner, kind, tagOf(name))
  }

  async replace({ owner, kind, name, version, body, lifeMs }: Replacement): Promise<boolean> {
    const { functions, keys, clock } = this.#parts
    const tag = tagOf(name)
    const args = [stamp(clock), tag, version, body, lifeMs, randomUUID()]
    const names = [keys.entry(owner, kind) + tag, ...keys.entryIndex(owner, kind)]
    const isReplaced = Number(await functions.call('replace', names, args)) === 1
    if (isReplaced) this.#spend(owner, body, lifeMs)
    return isReplaced
  }

  async entries(owner: Owner, kind: EntryKind, limit: number): Promise<readonly Entry[]> {
    const { link, keys } = this.#parts
    const [order] = keys.entryIndex(owner, kind)
    const listed: Entry[] = []
    for (let from = 0; listed.length < limit; from += READ_AT_ONCE) {
      const tags = texts(await link.send(['ZRANGE', order, from, from + READ_AT_ONCE - 1]))
      if (tags.length === 0) break
      const read = await Promise.all(tags.map((tag) => this.#read(owner, kind, tag ?? '')))
      listed.push(...read.filter((entry) => entry !== null))
    }
    return listed.slice(0, limit)
  }

  async holdsBytes(principal: string, most: number): Promise<boolean> {
    const { functions, keys, clock } = this.#parts
    return Number(await functions.call('spent', [keys.usage(principal)], [stamp(clock)])) >= most
  }

  /** Not awaited: whatever reads the account comes later on the same connection. */
  #spend({ principal }: Owner, body: string, lifeMs: number): void {
    const { functions, keys, clock } = this.#parts
    const args = [stamp(clock), utf8Bytes(body), lifeMs]
    functions.call('spend', [keys.usage(principal)], args).catch(() => undefined)
  }

  async #read(owner: Owner, kind: EntryKind, tag: string): Promise<Entry | null> {
    const { functions, keys, clock } = this.#parts
    const reply = await functions.call('read', [keys.entry(owner, kind) + tag], [stamp(clock)])
    const [name, version, body, expiresAt, lost] = texts(reply)
    if (name === null || name === undefined || body === null || body === undefined) return null
    return {
      name: String(JSON.parse(name)),
      version: Number(version),
      body,
      expiresAt: Number(expiresAt),
      ...(lost === '1' && { lost: true }),
    }
  }
}
