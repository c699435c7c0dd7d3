import { randomUUID } from 'node:crypto'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { deploymentSecrets } from '../../src/adapters/auth/deployment-secret.ts'
import { fileCatalogs } from '../../src/adapters/catalogs/files.ts'
import { memoryStore } from '../../src/adapters/stores/memory.ts'
import { sqliteStore } from '../../src/adapters/stores/sqlite/store.ts'
import type { Reply, RunFacts } from '../../src/engine/contract.ts'
import type { Parts } from '../../src/engine/parts.ts'
import type { Store } from '../../src/engine/store.ts'
import type { EffectOutcome } from '../../src/execution/outcome.ts'
import type { Wire } from '../../src/execution/wire.ts'
import { testEngine } from '../engine/engines.ts'
import { setOf } from '../engine/fixtures.ts'
import { rounds } from './rounds.ts'
import { type DepotApi, startDepotApi } from './depot-api.ts'
import { depotWire } from './depot-wire.ts'
import { depot, writeDepot } from './depots.ts'
import { Seeded } from './seeded.ts'
import { ServeProcess, type Setup } from './servers.ts'

/*
 * A program of an `each` of five writes and one write more, whose process dies at every step, and whose call is delivered
 * again and again. Nothing is written twice, and afterwards each write is known, or named as unknown.
 */

const seeds = ['Anvil', 'Drum'].map((entity) => ({ api: 'north', entity }))
const PROGRAM = `anvils = Anvil.limit(5)
touched = anvils => Anvil(_.id).touch()
drum = Drum("k9").touch()
touched, drum`
const CALL = { logical_session_ref: 's0', program: PROGRAM, plan: 'pc1' }
/** Longer than a run may live that gives no word of itself. */
const LATER_MS = 200_000
/** The same, and sooner than the same program without a plan is taken for another call. */
const SOON_MS = 45_000
const signal = new AbortController().signal

/** Every effect as the answer names it must be what its API saw. */
function expectTruth(reply: Reply<RunFacts>, writes: readonly string[], where: string): void {
  expect(writes.length, `${where}: ${writes.join()}`).toBe(new Set(writes).size)
  if (!reply.ok) throw new Error(`${where}: ${reply.text}`)
  const told = new Map(reply.facts.effects.map((effect) => [pathOf(effect), effect.state]))
  for (const write of writes)
    expect(['done', 'unknown'], `${where}: ${write}\n${reply.text}`).toContain(told.get(write))
  for (const [write, state] of told)
    if (state === 'done') expect(writes, `${where}: ${write}\n${reply.text}`).toContain(write)
  for (const { state, problem } of reply.facts.effects)
    if (state === 'unknown') expect(problem?.next, reply.text).toMatch(/e\d\("k\d"\)/)
}

function pathOf({ capability, row }: EffectOutcome): string {
  return capability === 'anvil_touch' ? `POST /anvil/k${row + 1}/touch` : 'POST /drum/k9/touch'
}

const dead = new Promise<never>(() => undefined)

/** Lets so many steps through the store and the wire; the process dies before or after the next one is done. */
class Doom {
  steps = 0
  readonly #at: number
  readonly #isAfter: boolean

  constructor(at: number, isAfter: boolean) {
    this.#at = at
    this.#isAfter = isAfter
  }

  async step<Value>(work: () => Promise<Value>): Promise<Value> {
    const mine = this.steps++
    if (mine > this.#at || (mine === this.#at && !this.#isAfter)) return dead
    const value = await work()
    return mine === this.#at ? dead : value
  }

  store(store: Store): Store {
    return {
      ...store,
      findByRef: (...all) => this.step(() => store.findByRef(...all)),
      claim: (...all) => this.step(() => store.claim(...all)),
      read: (...all) => this.step(() => store.read(...all)),
      replace: (...all) => this.step(() => store.replace(...all)),
      mint: (...all) => this.step(() => store.mint(...all)),
    }
  }

  wire(wire: Wire): Wire {
    return { send: (...all) => this.step(() => wire.send(...all)) }
  }
}

/** A run that dies at a step; gives how many steps there were. */
async function dieAt(at: number, isAfter: boolean, call: object = CALL): Promise<number> {
  let now = 1_000_000
  const clock = { now: () => now }
  const store = memoryStore({ clock })
  const calls: string[] = []
  const writes = () =>
    calls.filter((one) => one.includes('POST')).map((one) => one.replace(/^.*(?=POST)/, ''))
  const common = {
    catalogs: { current: () => set },
    newId: randomUUID,
    clock,
    effectPolicy,
  }
  const doom = new Doom(at, isAfter)
  const engine = testEngine({ ...common, store, wire: depotWire(calls) })
  const doomed = testEngine({ ...common, store: doom.store(store), wire: doom.wire(depotWire(calls)) })
  await engine.gateway.context(LOCAL_USER, { intent: 'touch', seeds })
  await engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program: PROGRAM })
  const deliveries = [0, 1].map(() => doomed.gateway.run(LOCAL_USER, call, { signal }))
  await Promise.race([Promise.all(deliveries), after(20)])
  // Delivered again while the first might still live, and when it cannot.
  const soon = engine.gateway.run(LOCAL_USER, call, { signal })
  await soon
  now += SOON_MS
  const reply = await engine.gateway.run(LOCAL_USER, call, { signal })
  expectTruth(reply, writes(), `step ${at} ${isAfter ? 'done' : 'not done'}`)
  const again = await engine.gateway.run(LOCAL_USER, call, { signal })
  expect(again.ok && again.facts.effects).toEqual(reply.ok && reply.facts.effects)
  return doom.steps
}

const effectPolicy: Parts['effectPolicy'] = () => 'allow'
const set = setOf(depot({ id: 'north', edition: 1 }))

test('no step is one too many', { timeout: 60_000 }, async () => {
  const steps = await dieAt(Infinity, false)
  expect(steps).toBeGreaterThan(25)
  for (let at = 0; at < steps; at += rounds(1, 5))
    for (const isAfter of [false, true]) await dieAt(at, isAfter)
  process.stdout.write(
    `at most once: died before and after ${Math.ceil(steps / rounds(1, 5))} of ${steps} steps\n`,
  )
})

test('no step is one too many without a plan', { timeout: 60_000 }, async () => {
  const { plan: _, ...call } = CALL
  const steps = await dieAt(Infinity, false, call)
  expect(steps).toBeGreaterThan(25)
  for (let at = 0; at < steps; at += rounds(1, 5))
    for (const isAfter of [false, true]) await dieAt(at, isAfter, call)
})

let folder = ''
let api: DepotApi
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-once-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A real server that is killed around its write of this number, delivered twice, started again and asked again. */
async function killAround(seed: number): Promise<readonly string[]> {
  const random = new Seeded(seed)
  const number = 1 + random.next(6)
  const answers = random.next(2) === 0
  let reached = () => {}
  const moment = new Promise<void>((done) => void (reached = done))
  api = await startDepotApi((count) => {
    if (count === number) reached()
    return count !== number || answers
  })
  const dataDir = join(folder, String(seed))
  const catalogs = [
    await writeDepot(join(folder, `catalogs-${seed}`), { id: 'north', edition: 1, origin: api.origin }),
  ]
  const setup: Setup = { dataDir, catalogs }
  const server = await ServeProcess.start(setup)
  await server.http('POST', '/v1/contexts', { intent: 'touch', seeds })
  await server.http('POST', '/v1/contexts/s0/plan', { program: PROGRAM })
  const deliver = (to: ServeProcess) =>
    to.http('POST', '/v1/contexts/s0/run', { program: PROGRAM, plan: 'pc1' }).catch(() => undefined)
  const deliveries = [deliver(server), deliver(server)]
  await moment
  await after(random.next(4))
  await server.kill()
  await Promise.all(deliveries)
  if (seed % 5 === 0) {
    const again = await ServeProcess.start(setup)
    await deliver(again)
    await again.kill()
  }
  expectTruth(await askLater(setup), api.writes, `seed ${seed}, write ${number}`)
  await api.close()
  return api.writes
}

/** The same call to another process, when the first cannot live any more. */
async function askLater({ dataDir, catalogs }: Setup): Promise<Reply<RunFacts>> {
  const clock = { now: () => Date.now() + LATER_MS }
  const secret = await deploymentSecrets(dataDir, undefined)
  if (!secret.ok) throw new Error(await readFile(join(dataDir, 'secret'), 'utf8'))
  const store = await sqliteStore({ path: join(dataDir, 'plasmid.db'), clock })
  const { source } = await fileCatalogs(catalogs)
  const engine = testEngine({ store, clock, secrets: secret.value, catalogs: source, newId: randomUUID })
  const reply = await engine.gateway.run(LOCAL_USER, CALL, { signal })
  await store.shutDown()
  return reply
}

test('no killed server writes twice', { timeout: 900_000 }, async () => {
  let writes = 0
  const times = rounds(100, 3)
  for (let seed = 1; seed <= times; seed++) writes += (await killAround(seed)).length
  process.stdout.write(`at most once: ${times} servers killed, ${writes} writes, none twice\n`)
})
