import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { StoreError, storeProblem } from '../../../src/adapters/stores/problems.ts'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import { httpWire } from '../../../src/adapters/wire/http.ts'
import { secretReader } from '../../../src/adapters/wire/secrets.ts'
import type { CatalogSet } from '../../../src/catalog/lookup.ts'
import type { Catalog } from '../../../src/catalog/model.ts'
import type { Reply } from '../../../src/engine/contract.ts'
import type { Parts } from '../../../src/engine/parts.ts'
import type { Store } from '../../../src/engine/store.ts'
import { openRedis } from '../../adapters/stores/redis/open-redis.ts'
import { HandClock } from '../../contracts/store-fixtures.ts'
import { RedisServer, whyNoRedis } from '../../redis-server.ts'
import { startShopApi, type ShopApi } from '../../surfaces/shop-api.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

export const HOUR = 3_600_000

type Visit = 'commit' | 'findByRef' | 'findByAddress' | 'append' | 'claim' | 'touch' | 'replace'

/** A visit that was stopped, before it reached the store or with its answer in hand. */
interface Stopped {
  /** Resolves once the visit is made. */
  readonly reached: Promise<void>
  readonly go: () => void
}

/** One node: an engine of its own, and its own door to the store, at which the test stops single visits. */
export interface Node extends TestEngine {
  /** Stops the next visit of that name before it reaches the store. */
  readonly stop: (visit: Visit) => Stopped
  /** The next visit of that name is carried out, and then nobody hears of it: the node sees a time-out. */
  readonly lose: (visit: Visit) => void
  /** Each visit of that name arrives at the store twice, and the answer to the second counts. */
  readonly twice: (visit: Visit) => void
  readonly context: (names: readonly string[], more?: object) => ReturnType<TestEngine['gateway']['context']>
  readonly plan: (program: string, more?: object) => ReturnType<TestEngine['gateway']['plan']>
  readonly run: (
    program: string,
    more?: object,
    signal?: AbortSignal,
  ) => ReturnType<TestEngine['gateway']['run']>
}

/** What all nodes of one deployment share: the store, its clock and the API behind the fixture `shop`. */
export interface Stage {
  readonly api: ShopApi
  readonly clock: HandClock
  readonly node: (changes?: Partial<Parts>) => Promise<Node>
  readonly backUp: () => Promise<void>
  /** Ends all nodes and brings the store back to what it was when it was backed up. */
  readonly restore: () => Promise<void>
  /** The catalogs as this deployment has them, with changes. */
  readonly catalogs: (changes?: { readonly shop?: Partial<Catalog> }) => CatalogSet
}

/** Where the nodes of one deployment keep what they keep. */
interface Place {
  readonly open: (clock: HandClock) => Promise<Store>
  readonly backUp?: () => Promise<unknown>
  /** Once nobody has it open. */
  readonly putBack?: () => Promise<unknown>
}

/** Tells the same of each kind of store, on two nodes or more: memory is shared inside of one process. */
export function onEveryStore(tell: (stage: () => Promise<Stage>) => void): void {
  describe('on memory', () => {
    tellOn(tell, () => {
      let store: Store | undefined
      return { open: async (clock) => (store ??= memoryStore({ clock })) }
    })
  })
  onStoresThatLast(tell)
}

/** The same without memory: what is kept outlives the nodes, and can be put back from a backup. */
export function onStoresThatLast(tell: (stage: () => Promise<Stage>) => void): void {
  describe('on SQLite', () => {
    let folder = ''
    let opened = 0
    beforeAll(async () => void (folder = await mkdtemp(join(tmpdir(), 'plasmid-races-'))))
    afterAll(() => rm(folder, { recursive: true }))
    tellOn(tell, () => {
      const path = join(folder, `${opened++}`, 'plasmid.db')
      return {
        open: (clock) => sqliteStore({ path, clock }),
        backUp: async () => {
          const db = await openDriver(path)
          db.exec(`VACUUM INTO '${path}.backup'`)
          db.close()
        },
        putBack: async () => {
          await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
          await copyFile(`${path}.backup`, path)
        },
      }
    })
  })
  describe.skipIf(whyNoRedis)(`on Redis${whyNoRedis ? ` (${whyNoRedis})` : ''}`, () => {
    let server: RedisServer
    let opened = 0
    beforeAll(async () => void (server = await RedisServer.start()))
    afterAll(() => server.stop())
    tellOn(tell, () => {
      const prefix = `stage-${opened++}`
      return {
        open: (clock) => openRedis(server.url, { clock, prefix }),
        backUp: () => server.command('SAVE'),
        putBack: async () => {
          await server.kill()
          await server.run()
        },
      }
    })
  })
}

function tellOn(tell: (stage: () => Promise<Stage>) => void, placeOf: () => Place): void {
  let api: ShopApi
  const stores: Store[] = []
  const wire = httpWire({ secrets: secretReader({}), allowPrivate: () => true, userAgent: 'plasmid-test' })
  beforeAll(async () => void (api = await startShopApi()))
  afterAll(async () => {
    await Promise.all(stores.map((store) => store.shutDown()))
    await wire.shutDown()
    await api.close()
  })
  tell(async () => {
    const clock = new HandClock()
    const place = placeOf()
    const own: Store[] = []
    let ids = 0
    const catalogs: Stage['catalogs'] = ({ shop = {} } = {}) =>
      setOf(fixtureCatalog('shop', { origin: api.url, ...shop }), fixtureCatalog('library'))
    const node = async (changes: Partial<Parts> = {}): Promise<Node> => {
      const store = await place.open(clock)
      stores.push(store)
      own.push(store)
      const door = new Door(store)
      const engine = testEngine({ wire, clock, newId: () => `id${++ids}`, ...changes, store: door.store })
      engine.swap(catalogs())
      return {
        ...engine,
        stop: (visit) => door.stop(visit),
        lose: (visit) => door.lose(visit),
        twice: (visit) => door.twice(visit),
        context: (names, more = {}) =>
          engine.gateway.context(LOCAL_USER, { intent: 'goal', seeds: seedsOf(names), ...more }),
        plan: (program, more = {}) =>
          engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program, ...more }),
        run: (program, more = {}, signal = new AbortController().signal) =>
          engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program, ...more }, { signal }),
      }
    }
    return {
      api,
      clock,
      node,
      catalogs,
      backUp: async () => void (await place.backUp?.()),
      restore: async () => {
        await Promise.all(own.splice(0).map((store) => store.shutDown()))
        await place.putBack?.()
      },
    }
  })
}

/** The store as one node reaches it. */
class Door {
  readonly store: Store
  readonly #next = new Map<string, (visit: () => Promise<unknown>) => Promise<unknown>>()
  readonly #always = new Map<string, (visit: () => Promise<unknown>) => Promise<unknown>>()

  constructor(store: Store) {
    this.store = new Proxy(store, {
      get: (target, name: keyof Store) => {
        const visited = target[name]
        if (typeof visited !== 'function') return visited
        return (...given: readonly unknown[]) => {
          const visit = async (): Promise<unknown> => Reflect.apply(visited, target, given)
          const disturb = this.#next.get(name) ?? this.#always.get(name)
          this.#next.delete(name)
          return disturb ? disturb(visit) : visit()
        }
      },
    })
  }

  stop(name: Visit): Stopped {
    let go = () => {}
    let arrive = () => {}
    const reached = new Promise<void>((done) => void (arrive = done))
    const gone = new Promise<void>((done) => void (go = done))
    this.#next.set(name, async (visit) => {
      arrive()
      await gone
      return visit()
    })
    return { reached, go }
  }

  lose(name: Visit): void {
    this.#next.set(name, async (visit) => {
      await visit()
      throw new StoreError(storeProblem('store_unavailable', { server: 'it', detail: 'no answer in time' }))
    })
  }

  twice(name: Visit): void {
    this.#always.set(name, async (visit) => {
      await visit()
      return visit()
    })
  }
}

export function seedsOf(names: readonly string[]) {
  return names.map((name) => {
    const [api, entity] = name.split(':')
    return { api, entity }
  })
}

/** `e1=Book`: what a text teaches, by the rows that name an entity. */
export function taught({ text }: { readonly text: string }): string[] {
  return [...text.matchAll(/^(e\d+)\([^)\n]*\)\t(?:\w+\.)?([A-Z]\w*):/gm)].map(
    ([, symbol, name]) => `${symbol}=${name}`,
  )
}

export function codesOf(reply: Reply<unknown>): string[] {
  return reply.ok ? [] : reply.problems.map(({ code }) => code)
}

/** What the answer says about the symbols that its reader has. */
export function continuityOf(reply: Reply<{ readonly continuity: object }>): object {
  return reply.ok ? reply.facts.continuity : {}
}
