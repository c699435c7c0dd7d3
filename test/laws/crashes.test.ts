import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import { callerOf, type Caller, DEFAULT_RESOLUTION } from '../../src/access/caller.ts'
import { EVERYTHING } from '../../src/access/policy.ts'
import { memoryStore } from '../../src/adapters/stores/memory.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import { testEngine, type TestEngine } from '../engine/engines.ts'
import { setOf } from '../engine/fixtures.ts'
import { cases, SEED, report, reportProgress } from '../law-cases.ts'
import { depotWire } from '../nightly/depot-wire.ts'
import { depot } from '../nightly/depots.ts'
import { Doom } from '../nightly/doom.ts'
import { Seeded } from '../nightly/seeded.ts'
import { expectTruth } from '../nightly/truth.ts'

/*
 * Programs that write, whose processes die at any step, and whose calls are delivered again and again, at once and later,
 * to the same process and to others. Nothing is written twice, and afterwards each write is known, or named as unknown.
 */

const OPENING = {
  intent: 'touch',
  seeds: ['Anvil', 'Drum'].map((entity) => ({ api: 'north', entity })),
}
/** Longer than a run may live that gives no word of itself; sooner than the same program counts as another call. */
const LATER_MS = 31_000
const signal = new AbortController().signal
const set = setOf(depot({ id: 'north', edition: 1 }))
/** Two of a tenant that shares its sessions, and somebody of another one. */
const person = (tenant: string, subject: string): Caller =>
  callerOf(
    { from: 'key', tenant, subject },
    { ...DEFAULT_RESOLUTION, sessionScope: 'tenant' },
    () => EVERYTHING,
  )
const ANN = person('acme', 'ann')
const BEN = person('acme', 'ben')
const STRANGER = person('other', 'ann')

interface Call {
  readonly logical_session_ref: string
  readonly program: string
  readonly plan?: string
}

/** What a seed makes of a case. */
class Case {
  readonly writes: string[] = []
  readonly #random: Seeded
  readonly #calls: string[] = []
  readonly #most: number
  readonly #isBounded: boolean
  readonly #store
  #now = 1_000_000

  constructor(seed: number) {
    this.#random = new Seeded(seed)
    this.#most = 1 + this.#random.next(6)
    this.#isBounded = this.#random.next(4) > 0
    this.#store = memoryStore({ clock: { now: () => this.#now } })
  }

  /** Gives how many processes died. */
  async play(where: string): Promise<number> {
    const survivor = this.#engine()
    await survivor.gateway.context(ANN, OPENING)
    const reviewed = this.#random.next(2) === 0
    if (reviewed) await survivor.gateway.plan(ANN, { logical_session_ref: 's0', program: this.#program() })
    const call = {
      logical_session_ref: 's0',
      program: this.#program(),
      ...(reviewed && { plan: 'pc1' }),
    }
    let died = 0
    // A run without a plan is only the same call for a minute.
    const times = reviewed ? 1 + this.#random.next(3) : 1
    for (let time = 0; time < times; time++) {
      died += await this.#crash(call)
      await this.#tryOthers(call)
      if (this.#random.next(2) === 0) await survivor.gateway.run(ANN, call, { signal })
      this.#now += LATER_MS
    }
    const reply = await survivor.gateway.run(ANN, call, { signal })
    const writes = this.#written()
    expectTruth(reply, writes, where)
    const anvils = writes.filter((write) => write.includes('/anvil/'))
    expect(anvils.length, where).toBeLessThanOrEqual(this.#most)
    const again = await survivor.gateway.run(ANN, call, { signal })
    expect(again.facts?.effects, where).toEqual(reply.facts?.effects)
    expect(this.#written(), where).toEqual(writes)
    return died
  }

  /** Delivers the call, more than once at that, to processes that die at some step of their own. */
  async #crash(call: Call): Promise<number> {
    const dooms = Array.from(
      { length: 1 + this.#random.next(2) },
      () => new Doom(this.#random.next(34), this.#random.next(2) === 0),
    )
    const deliveries = dooms.flatMap((doom) => {
      const { gateway } = this.#engine(doom)
      return Array.from({ length: 1 + this.#random.next(2) }, () =>
        Promise.race([doom.died, gateway.run(ANN, call, { signal })]),
      )
    })
    await Promise.all(deliveries)
    // What the dead had begun in the store or at the API ends there without them.
    for (let turn = 0; turn < 3; turn++) await new Promise((done) => void setImmediate(done))
    return dooms.filter(({ isDead }) => isDead).length
  }

  /** Nobody else has the plan, and somebody of another tenant not even the session. */
  async #tryOthers(call: Call): Promise<void> {
    const before = this.#written()
    const { gateway } = this.#engine()
    const codesFor = async (caller: Caller) => {
      const reply = await gateway.run(caller, call, { signal })
      return reply.ok ? [] : reply.problems.map(({ code }) => code)
    }
    expect(await codesFor(STRANGER)).toEqual(['unknown_session'])
    if (call.plan !== undefined) {
      await gateway.context(BEN, OPENING)
      expect(await codesFor(BEN)).toEqual(['unknown_plan'])
    }
    expect(this.#written()).toEqual(before)
  }

  #program(): string {
    const anvils = this.#isBounded ? `Anvil.limit(${this.#most})` : 'Anvil'
    return `anvils = ${anvils}\ntouched = anvils => Anvil(_.id).touch()\ndrum = Drum("k9").touch()\ntouched, drum`
  }

  #written(): readonly string[] {
    return this.#calls.filter((one) => one.includes('POST')).map((one) => one.replace(/^.*(?=POST)/, ''))
  }

  #engine(doom?: Doom): TestEngine {
    const wire = depotWire(this.#calls)
    return testEngine({
      store: doom ? doom.store(this.#store) : this.#store,
      wire: doom ? doom.wire(wire) : wire,
      catalogs: { current: () => set },
      newId: randomUUID,
      clock: { now: () => this.#now },
      effectPolicy: () => 'allow',
      // A program without a limit of its own is held to this one: the API has more.
      budget: this.#isBounded ? DEFAULT_BUDGET : { ...DEFAULT_BUDGET, effects: this.#most },
    })
  }
}

test('crashes and repeated deliveries never write twice', { timeout: 1_200_000 }, async () => {
  const crashes = cases(10_000)
  let [died, number] = [0, 0]
  while (died < crashes) {
    const seed = SEED * 100_000 + ++number
    const more = await new Case(seed).play(`seed ${seed}`)
    for (let one = 1; one <= more; one++) reportProgress('crashes', ++died, crashes)
  }
  report(
    'crashes',
    `${died} processes died in ${number} cases, nothing written twice, each write known or named`,
  )
})
