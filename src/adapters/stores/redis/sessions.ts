import { LRUCache } from 'lru-cache'
import { entriesUpTo } from '../../../base/cache-size.ts'
import type { Clock } from '../../../base/clock.ts'
import { freeze } from '../../../base/freeze.ts'
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
import { assertCommittable, digestsOf, recordFromText, recordToText, skipsAnew } from '../stored.ts'
import type { Commits } from './commits.ts'
import type { Functions } from './functions.ts'
import type { Keys, PrincipalTag } from './keys.ts'
import type { StoredModels } from './models.ts'
import type { StoreEpoch } from './store-epoch.ts'
import type { Names } from './names.ts'
import { stamp, texts } from './reply.ts'

/** Names that a listing resolves per round trip. */
const LISTED_AT_ONCE = 100
/** Parsed records kept in memory: an active session is read many times. */
const KNOWN = 10_000
/** More symbol numbers than a session allocates between what a server persists and what it can lose. */
const FORGOTTEN = 1000

export interface SessionParts {
  readonly functions: Functions
  readonly commits: Commits
  readonly names: Names
  readonly epoch: Pick<StoreEpoch, 'forgotten'>
  readonly models: StoredModels
  readonly keys: Keys
  readonly clock: Clock | undefined
}

/** Logical sessions in Redis: a session is one hash, so that each visit is one function call on one key. */
export class RedisSessions implements SessionStore {
  readonly #parts: SessionParts
  /** By address: the record of the last commit seen there. Each read asks the server whether it is still current. */
  readonly #known = new LRUCache<string, SessionRecord>(entriesUpTo(KNOWN))

  constructor(parts: SessionParts) {
    this.#parts = parts
  }

  async findByAddress(principal: PrincipalKey, address: string): Promise<Found> {
    return this.#find(this.#parts.keys.principal(principal), address)
  }

  async findByRef(
    principal: PrincipalKey,
    ref: { readonly ordinal: number } | { readonly address: string },
  ): Promise<Found> {
    const { keys, names } = this.#parts
    const tag = keys.principal(principal)
    // An unallocated number has no address: the visit to the empty key finds nothing and returns the server's time.
    const address = 'address' in ref ? ref.address : ((await names.addressOf(tag, ref.ordinal)) ?? '')
    const found = await this.#find(tag, address)
    const isNamed = 'address' in ref ? found.ordinal !== null : found.ordinal === ref.ordinal
    return isNamed ? found : { record: null, ordinal: null, delivered: 0, now: found.now }
  }

  async commit(
    principal: PrincipalKey,
    previous: SessionRecord | null,
    next: SessionRecord,
    most?: number,
  ): Promise<Committed> {
    assertCommittable(previous, next)
    const { keys, names, models, commits, epoch } = this.#parts
    const tag = keys.principal(principal)
    const pins = digestsOf(next)
    const commit = commitArgs(previous, next, pins)
    const held = models.hold(pins, next.expiresAt)
    const named = async () => {
      const until = principal === bearerKey(next.address) ? next.expiresAt : undefined
      const name = await names.reserve(tag, next.address, most, until)
      // The store was emptied since the caller looked: the lost session may have used the same numbers.
      const isUnaware = !previous && epoch.forgotten > 0 && !skipsAnew(null, next)
      if (isUnaware) return 'emptied'
      return name === undefined ? 'full' : commits.commit(next.address, tag, commit, name)
    }
    const [outcome] = await Promise.all([
      previous ? commits.commit(next.address, tag, commit, '') : named(),
      held,
    ])
    // A principal joins a shared session, or rejoins one whose name it dropped.
    const settled = outcome === 'unnamed' ? await named() : outcome
    if (settled === 'full' || settled === 'emptied') {
      const { record: current, now, lost } = await this.#find(tag, next.address)
      return { committed: false, current, now, ...(settled === 'full' ? { full: true } : { lost }) }
    }
    if (settled === 'unnamed') throw new Error('the store refused the number that it had given')
    if ('ordinal' in settled) {
      names.remember(tag, settled.ordinal, next.address)
      return { committed: true, ordinal: settled.ordinal }
    }
    const { record: current, now, lost } = this.#found(settled.conflict)
    return { committed: false, current, now, ...(lost && { lost }) }
  }

  async touch(
    address: string,
    generation: number,
    rowExpiresAt: number,
    recordExpiresAt: number,
  ): Promise<void> {
    const { functions, keys, models, clock } = this.#parts
    const args = [stamp(clock), generation, rowExpiresAt, recordExpiresAt]
    const pins = await functions.call('touch', [keys.session(address)], args)
    if (typeof pins === 'string' && pins !== '') await models.holdSeldom(pins.split(' '), recordExpiresAt)
  }

  async markDelivered(principal: PrincipalKey, address: string, revision: number): Promise<void> {
    const { functions, keys, clock } = this.#parts
    const args = [stamp(clock), keys.principal(principal), revision]
    await functions.call('mark_delivered', [keys.session(address)], args)
  }

  async list(principal: PrincipalKey, limit: number): Promise<readonly Listed[]> {
    const tag = this.#parts.keys.principal(principal)
    const listed: Listed[] = []
    let below = Infinity
    while (listed.length < limit) {
      const named = await this.#parts.names.below(tag, below, Math.min(limit, LISTED_AT_ONCE))
      const found = await Promise.all(named.map(({ address }) => this.#find(tag, address)))
      for (const [index, { ordinal, record, now }] of found.entries()) {
        if (record && ordinal === named[index]?.ordinal) listed.push({ ordinal, record, now })
      }
      const last = named.at(-1)
      if (!last) break
      below = last.ordinal
    }
    return listed.slice(0, limit)
  }

  async close(principal: PrincipalKey, address: string): Promise<boolean> {
    const { functions, keys, names, clock } = this.#parts
    const tag = keys.principal(principal)
    const [isClosed] = await Promise.all([
      functions.call('close', [keys.session(address)], [stamp(clock), tag]),
      names.unreserve(tag, address),
    ])
    return Number(isClosed) === 1
  }

  keepModel(digest: string, model: Catalog): Promise<void> {
    return this.#parts.models.keep(digest, model)
  }

  model(digest: string): Promise<Catalog | null> {
    return this.#parts.models.load(digest)
  }

  async #find(tag: PrincipalTag, address: string): Promise<Found> {
    const { functions, keys, names, clock } = this.#parts
    const known = this.#known.get(address)
    const args = [stamp(clock), tag, known?.commit ?? '']
    const reply = await functions.call('find', [keys.session(address)], args)
    const found = known && typeof reply === 'string' ? stillKnown(known, reply) : this.#found(texts(reply))
    if (found.record) this.#known.set(address, found.record)
    if (found.ordinal !== null) names.remember(tag, found.ordinal, address)
    return found
  }

  /**
   * A session as the functions return it: the server's time, the record's text, both expiries, the principal's number,
   * whether commits may have been lost, and the revision delivered to the principal.
   */
  #found([now, body, row, exp, ordinal, lost, delivered]: readonly (string | null)[]): Found {
    if (body === null || body === undefined) {
      const { forgotten } = this.#parts.epoch
      const isEmptied = forgotten > 0 ? { lost: forgotten } : {}
      return { record: null, ordinal: null, delivered: 0, now: Number(now), ...isEmptied }
    }
    return {
      record: freeze(recordFromText(body, Number(row), Number(exp))),
      ordinal: ordinal === null || ordinal === undefined ? null : Number(ordinal),
      delivered: Number(delivered),
      now: Number(now),
      ...(lost === '1' && { lost: FORGOTTEN }),
    }
  }
}

/** The reply about a session whose record the reader knows: the same record object while its expiries are unchanged. */
function stillKnown(known: SessionRecord, reply: string): Found {
  const [now, row, exp, ordinal, lost, delivered] = reply.split(' ')
  const [rowExpiresAt, expiresAt] = [Number(row), Number(exp)]
  const isSame = known.row.expiresAt === rowExpiresAt && known.expiresAt === expiresAt
  return {
    record: isSame ? known : freeze({ ...known, expiresAt, row: { ...known.row, expiresAt: rowExpiresAt } }),
    ordinal: ordinal === '' ? null : Number(ordinal),
    delivered: Number(delivered),
    now: Number(now),
    ...(lost === '1' && { lost: FORGOTTEN }),
  }
}

function commitArgs(previous: SessionRecord | null, next: SessionRecord, pins: readonly string[]) {
  return [
    previous ? `=${previous.commit}` : '',
    next.commit,
    next.revision,
    next.row.generation,
    next.row.expiresAt,
    next.expiresAt,
    recordToText(next),
    pins.join(' '),
    skipsAnew(previous, next) ? '1' : '',
  ]
}
