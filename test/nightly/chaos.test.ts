import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Proxy } from '../adapters/stores/redis/proxy.ts'
import { cases, SEED, report } from '../law-cases.ts'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { Caller, CHAOS_GOODS, Tally } from './chaos-caller.ts'
import { type DepotApi, startDepotApi } from './depot-api.ts'
import { writeDepot } from './depots.ts'
import { type Change, clockOff, serverEdition } from './editions.ts'
import { Nodes } from './nodes.ts'
import type { Setup } from './servers.ts'

/*
 * Three servers on one Redis, callers on whichever is next, and everything that can happen to them at once. Each caller
 * believes only the text that it received: what it sends means that, or is refused.
 */

const CALLS = cases(20_000, 1000)
const CALLERS = 32
const GOALS = 8
const CLOCKS_MS = [-600_000, 0, 600_000]
/** How long one node knows a new catalog before the others do. */
const ALONE_MS = cases(5000)
/** Commits that a replica misses before it is promoted. */
const MISSED = cases(50)

const SHORT_ROWS: Change = { from: /rowLifeMs: HOUR[\w$]*/, to: 'rowLifeMs: 300' }
const NEXT_TEACHING: Change = {
  from: /TEACHING_VERSION = ["']teaching-4["']/,
  to: 'TEACHING_VERSION = "teaching-5"',
}

let folder = ''
let api: DepotApi
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-chaos-'))
  api = await startDepotApi()
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

/** A Redis server and its replica, under a name that leads to whichever is the primary. */
class TwoStores {
  readonly name: Proxy
  readonly #primary: RedisServer
  readonly #replica: RedisServer
  readonly #cable: Proxy

  private constructor(primary: RedisServer, replica: RedisServer, name: Proxy, cable: Proxy) {
    this.#primary = primary
    this.#replica = replica
    this.name = name
    this.#cable = cable
  }

  static async start(): Promise<TwoStores> {
    // The primary copies itself at once, and does not give a silent replica up.
    const settings = ['--repl-diskless-sync-delay', '0', '--repl-timeout', '3600']
    const [primary, replica] = await Promise.all([RedisServer.start(settings), RedisServer.start()])
    const [name, cable] = await Promise.all([Proxy.to(primary.port), Proxy.to(primary.port)])
    await replica.command('REPLICAOF', '127.0.0.1', new URL(cable.url).port)
    await expect
      .poll(() => primary.command('INFO', 'replication'), { timeout: 60_000 })
      .toContain('state=online')
    return new TwoStores(primary, replica, name, cable)
  }

  /** The replica misses so many commits and more; then it takes the place of the primary, which is gone. */
  async failOver(missed: number): Promise<number> {
    const before = await this.#commits()
    this.#cable.mode = 'dead'
    await expect
      .poll(async () => (await this.#commits()) - before, { timeout: 120_000 })
      .toBeGreaterThanOrEqual(missed)
    const lost = (await this.#commits()) - before
    await this.#primary.kill()
    await this.#replica.command('REPLICAOF', 'NO', 'ONE')
    this.name.target = this.#replica.port
    this.name.drop()
    return lost
  }

  async empty(): Promise<void> {
    await this.#replica.kill()
    await this.#replica.run()
  }

  async stop(): Promise<void> {
    await Promise.all([this.name.close(), this.#cable.close()])
    await Promise.all([this.#primary.stop(), this.#replica.stop()])
  }

  /** Each commit waits for the replica once. */
  async #commits(): Promise<number> {
    const stats = String(await this.#primary.command('INFO', 'commandstats'))
    return Number(/cmdstat_wait:calls=(\d+)/.exec(stats)?.[1] ?? 0)
  }
}

/** What happens while callers call, one after another; gives how many commits were lost. */
async function storm(tally: Tally, nodes: Nodes, stores: TwoStores, setups: Setups): Promise<number> {
  await tally.reached(0.1)
  await nodes.replace(0, setups.of(0, { edition: 2 }))
  await after(ALONE_MS)
  await Promise.all([1, 2].map((number) => nodes.replace(number, setups.of(number, { edition: 2 }))))
  await tally.reached(0.35)
  for (const number of [0, 1, 2]) await nodes.replace(number, setups.of(number, { edition: 2, isNext: true }))
  await tally.reached(0.6)
  const missed = await stores.failOver(MISSED)
  await tally.reached(0.8)
  await stores.empty()
  return missed
}

interface Version {
  readonly edition: number
  readonly isNext?: boolean
}

/** How the nodes are started. */
class Setups {
  readonly #url: string
  readonly #mains: readonly string[]
  readonly #catalogs: readonly (readonly string[])[]

  constructor(url: string, mains: readonly string[], catalogs: readonly (readonly string[])[]) {
    this.#url = url
    this.#mains = mains
    this.#catalogs = catalogs
  }

  of(number: number, { edition, isNext = false }: Version): Setup {
    const main = this.#mains[isNext ? 1 : 0]
    return {
      ...(main !== undefined && { main }),
      dataDir: join(folder, `node-${number}`),
      catalogs: this.#catalogs[edition - 1] ?? [],
      flags: ['--store', this.#url],
      env: {
        PLASMID_SECRET: 'nightly-secret-that-every-node-of-it-is-given',
        PLASMID_LOG_LEVEL: 'error',
        ...clockOff(CLOCKS_MS[number] ?? 0),
      },
    }
  }
}

/** The depots; the north one is in this edition. */
function depotsIn(edition: number): Promise<string[]> {
  const depots = [
    { id: 'north', edition, goods: CHAOS_GOODS },
    { id: 'south', edition: 1, goods: CHAOS_GOODS },
  ]
  return Promise.all(
    depots.map((one) =>
      writeDepot(join(folder, `edition-${edition}`), {
        ...one,
        origin: `${api.origin}/${one.id}/${one.edition}`,
      }),
    ),
  )
}

test.skipIf(whyNoRedis)('a symbol never means something else', { timeout: 1_500_000 }, async () => {
  const stores = await TwoStores.start()
  const mains = await Promise.all([
    serverEdition(join(folder, 'this'), [SHORT_ROWS]),
    serverEdition(join(folder, 'next'), [SHORT_ROWS, NEXT_TEACHING]),
  ])
  const setups = new Setups(stores.name.url, mains, await Promise.all([depotsIn(1), depotsIn(2)]))
  const nodes = await Nodes.start([0, 1, 2].map((number) => setups.of(number, { edition: 1 })))
  const tally = new Tally(CALLS)
  const weather = { isOver: false }
  const work = async (number: number) => {
    const goal = `goal ${number % GOALS}`
    const caller = new Caller(nodes, tally, goal, `c${number}`, SEED * CALLERS + number)
    while (!weather.isOver || !tally.isOver) await caller.turn()
  }
  const storming = storm(tally, nodes, stores, setups).finally(() => (weather.isOver = true))
  try {
    await Promise.all([storming, ...Array.from({ length: CALLERS }, (_, number) => work(number))])
  } finally {
    await nodes.stop()
    await stores.stop()
  }
  reportTally(tally, nodes, await storming)
  expect(tally.wrong).toEqual([])
  expect(tally.refused.get('internal_error')).toBeUndefined()
  // A server that ends completes the requests that had reached it.
  expect(nodes.resets).toBe(0)
  expectWritesAsTold(tally)
  for (const [why, rows] of tally.opened)
    if (REAL_CHANGE.test(why)) expect([why, rows.size > 0 && rows.size <= mostOf(why)]).toEqual([why, true])
})

/** Why a row ends that is neither idle for too long nor a recovery that another call had reported. */
const REAL_CHANGE = /An API of this session changed|upgraded|lost the latest part/

/** The store loses twice: a replica that missed commits takes over, and later all of it is gone. */
function mostOf(why: string): number {
  return why.includes('lost the latest part') ? 2 : 1
}

/** Nothing was written twice, all that was written was meant, and what was reported of it is true. */
function expectWritesAsTold(tally: Tally): void {
  expect(api.writes.length).toBe(new Set(api.writes).size)
  for (const write of api.writes) expect(tally.writes.has(write), write).toBe(true)
  const done = new Set(api.writes)
  for (const [write, told] of tally.writes) {
    if (told.has('done')) expect(done, write).toContain(write)
    if (told.has('not_sent')) expect(done, write).not.toContain(write)
  }
}

function reportTally(tally: Tally, nodes: Nodes, missed: number): void {
  const reasons = new Map<string, number[]>()
  for (const [key, rows] of tally.opened) {
    const reason = key.slice(key.indexOf(': ') + 2)
    reasons.set(reason, [...(reasons.get(reason) ?? []), rows.size])
  }
  const spaces = [...reasons].map(([reason, rows]) => `${rows.join('+')} (${reason})`)
  report(
    'chaos',
    `${tally.calls} calls, ${tally.ran} programs ran, ${tally.wrong.length} with another meaning; ${tally.writes.size} writes planned, ${api.writes.length} sent, each once; ${tally.lost} answers lost (${nodes.resets} by restarts); ${missed} commits missed by the replica; refused ${JSON.stringify(Object.fromEntries(tally.refused))}; new symbol spaces by session: ${spaces.join(', ')}`,
  )
}
