import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { StoreError } from '../../src/adapters/stores/problems.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import type { Reply } from '../../src/engine/contract.ts'
import { DEFAULT_LIMITS } from '../../src/engine/parts.ts'
import type { Store } from '../../src/engine/store.ts'
import { pinnedDigests } from '../../src/session/reuse.ts'
import type { SessionRecord } from '../../src/session/record.ts'
import { openRedis } from '../adapters/stores/redis/open-redis.ts'
import { testEngine, type TestEngine } from '../engine/engines.ts'
import { setOf } from '../engine/fixtures.ts'
import { cases } from '../night.ts'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { depotWire } from './depot-wire.ts'
import { depot, GOODS } from './depots.ts'
import { Reader } from './reader.ts'
import { Seeded } from './seeded.ts'

/*
 * Three nodes on one Redis, callers on whichever answers next, and everything that can happen to them at once. Each
 * caller believes only the text that it received: what it sends means that, or is refused.
 */

const CALLS = cases(20_000)
const CALLERS = 32
const INTENTS = 8
const ROW_LIFE_MS = 300
const MINUTE = 60_000
const SKEWS = [-10 * MINUTE, 0, 10 * MINUTE]

const setIn = (edition: number): CatalogSet =>
  setOf(depot({ id: 'north', edition }), depot({ id: 'south', edition: 1 }))
const SETS = [setIn(1), setIn(2)]

/** A row of a session that took another's place, and what the log says why. */
interface Opened {
  readonly address: string
  readonly generation: number
  readonly why: 'expired' | 'changed' | 'went back' | 'without reason'
}

/** A node: an engine with a clock, catalogs and a connection of its own. */
interface Node {
  readonly engine: TestEngine
  readonly store: Store
  underWay: number
}

class Nodes {
  readonly opened: Opened[] = []
  readonly #redis: RedisServer
  readonly #editions = [0, 0, 0]
  #nodes: Node[] = []
  #next = 0

  constructor(redis: RedisServer) {
    this.#redis = redis
  }

  async start(): Promise<void> {
    this.#nodes = await Promise.all(SKEWS.map((_, number) => this.#node(number)))
  }

  /** One after another, without stickiness. */
  async on<Value>(work: (engine: TestEngine) => Promise<Value>): Promise<Value> {
    const node = this.#nodes[this.#next++ % this.#nodes.length]
    if (!node) throw new Error('no node')
    node.underWay++
    try {
      return await work(node.engine)
    } finally {
      node.underWay--
    }
  }

  /** A catalog of the node is now in its second edition. */
  change(number: number): void {
    this.#editions[number] = 1
  }

  /** A new process in the node's place; the old one ends what it had begun. */
  async restart(number: number): Promise<void> {
    const old = this.#nodes[number]
    this.#nodes[number] = await this.#node(number)
    // oxlint-disable-next-line no-unmodified-loop-condition -- its calls count themselves down
    while (old && old.underWay > 0) await new Promise((done) => void setImmediate(done))
    await old?.store.shutDown()
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map(({ store }) => store.shutDown()))
  }

  async #node(number: number): Promise<Node> {
    const store = this.#watched(await openRedis(this.#redis.url))
    const engine = testEngine({
      store,
      clock: { now: () => Date.now() + (SKEWS[number] ?? 0) },
      catalogs: { current: () => SETS[this.#editions[number] ?? 0] ?? setIn(1) },
      wire: depotWire(),
      newId: randomUUID,
      limits: { ...DEFAULT_LIMITS, rowLifeMs: ROW_LIFE_MS },
    })
    return { engine, store, underWay: 0 }
  }

  #watched(store: Store): Store {
    return {
      ...store,
      commit: async (principal, previous, next) => {
        const committed = await store.commit(principal, previous, next)
        const isNewRow = previous !== null && previous.row.generation !== next.row.generation
        if (committed.committed && isNewRow)
          this.opened.push({
            address: next.address,
            generation: next.row.generation,
            why: whyNew(previous, next),
          })
        return committed
      },
    }
  }
}

function whyNew(previous: SessionRecord, next: SessionRecord): Opened['why'] {
  if (previous.row.expiresAt <= next.row.openedAt) return 'expired'
  // A caller holds symbols that the record does not have: the store was emptied under it.
  if (next.waves.at(-1)?.skip !== undefined) return 'went back'
  const [before, after] = [pinnedDigests(previous.waves), pinnedDigests(next.waves)]
  return [...before].some(([catalog, digest]) => after.get(catalog) !== digest) ? 'changed' : 'without reason'
}

interface Tally {
  calls: number
  ran: number
  readonly refused: Map<string, number>
  unavailable: number
  readonly wrong: string[]
}

/** Calls until the calls are used up, believing nothing but text. */
async function callFor(
  nodes: Nodes,
  tally: Tally,
  number: number,
  beat: (calls: number) => Promise<void>,
): Promise<void> {
  const random = new Seeded(number)
  const reader = new Reader()
  const intent = `intent ${number % INTENTS}`
  let lastText = ''
  const context = async (more: object) => {
    const seeds = [{ api: random.pick(['north', 'south']), entity: random.pick(GOODS) }]
    const reply = await ask((engine) =>
      (random.next(10) === 0 ? engine.losing() : engine.gateway).context(LOCAL_USER, {
        intent,
        seeds,
        ...more,
      }),
    )
    if (reply?.ok) reader.read(reply.text)
    lastText = reply?.ok ? reply.text : ''
  }
  const ask = async <Facts>(work: (engine: TestEngine) => Promise<Reply<Facts>>) => {
    if (tally.calls >= CALLS) return undefined
    tally.calls++
    await beat(tally.calls)
    try {
      const reply = await nodes.on(work)
      if (!reply.ok)
        for (const { code } of reply.problems) tally.refused.set(code, (tally.refused.get(code) ?? 0) + 1)
      return reply
    } catch (error) {
      if (error instanceof StoreError) tally.unavailable++
      else throw error
      return undefined
    }
  }
  while (tally.calls < CALLS) {
    const unseen = reader.unseenIn(lastText).length > 0
    if (unseen) await context({ have: reader.have() })
    else if (reader.meanings().size === 0 || random.next(4) === 0) await context({})
    const meanings = [...reader.meanings()]
    if (meanings.length === 0 || reader.ref === undefined) continue
    const ref = reader.ref
    const [symbol, meaning] = random.pick(meanings)
    const call = { logical_session_ref: ref, program: `${symbol}.limit(1)[label]` }
    const reply = await ask((engine) =>
      engine.gateway.run(LOCAL_USER, call, { signal: new AbortController().signal }),
    )
    if (!reply) continue
    if (reply.ok && reply.text.includes('(1 row)')) {
      tally.ran++
      if (!reply.text.includes(callNamed(meaning)))
        tally.wrong.push(`${ref} ${symbol} = ${meaning}: ${reply.text}`)
    } else lastText = ''
    if (!reply.ok) await context(random.next(2) === 0 ? {} : { have: reader.have() })
  }
}

/** `north.Anvil: north Anvil edition 1` -> what running it calls. */
function callNamed(meaning: string): string {
  const [, api, good, edition] = /: (\w+) (\w+) edition (\d+)$/.exec(meaning) ?? []
  return `${api} edition ${edition} GET /${good?.toLowerCase()}`
}

test.skipIf(whyNoRedis)('a symbol never means something else', { timeout: 600_000 }, async () => {
  const redis = await RedisServer.start()
  const nodes = new Nodes(redis)
  const tally: Tally = { calls: 0, ran: 0, refused: new Map(), unavailable: 0, wrong: [] }
  const events: [number, () => void | Promise<void>][] = [
    [0.2, () => nodes.change(0)],
    [0.35, () => (nodes.change(1), nodes.change(2))],
    [0.5, () => nodes.restart(0)],
    [0.55, () => nodes.restart(1)],
    [0.6, () => nodes.restart(2)],
    [0.75, () => redis.kill().then(() => redis.run())],
  ]
  const beat = async (calls: number) => {
    const [next] = events
    if (!next || calls < next[0] * CALLS) return
    events.shift()
    await next[1]()
  }
  try {
    await nodes.start()
    await Promise.all(Array.from({ length: CALLERS }, (_, number) => callFor(nodes, tally, number, beat)))
  } finally {
    await nodes.stop()
    await redis.stop()
  }
  const opened = (why: Opened['why']) => nodes.opened.filter((one) => one.why === why)
  // A call that found its session just before the store was emptied, and asks for the models just after.
  const overtaken = tally.refused.get('catalog_lost') ?? 0
  const spaces = ['expired', 'changed', 'went back', 'without reason'] as const
  process.stdout.write(
    `chaos: ${tally.calls} calls, ${tally.ran} programs ran, ${tally.wrong.length} with another meaning, refused ${JSON.stringify(Object.fromEntries(tally.refused))}, ${tally.unavailable} while the store was away, ${overtaken} overtaken by its emptying, new symbol spaces ${spaces.map((why) => `${opened(why).length} ${why}`).join(', ')} in ${INTENTS} sessions\n`,
  )
  expect(tally.wrong).toEqual([])
  expect(tally.ran).toBeGreaterThan(CALLS / 10)
  expect(overtaken).toBeLessThanOrEqual(CALLERS)
  expect(opened('without reason')).toEqual([])
  // One change of one catalog: each session that held it goes over to it once.
  for (const why of ['changed', 'went back'] as const) {
    const moved = opened(why).map(({ address }) => address)
    expect(moved.toSorted(), why).toEqual([...new Set(moved)].toSorted())
  }
})
