import { beforeEach, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Parts } from '../../../src/engine/parts.ts'
import type { Store } from '../../../src/engine/store.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

/* The store fails between a write and its record. */

const signal = new AbortController().signal
const program = 'Customer("c1").delete()'

let engine: TestEngine
let writes: number
let isAway: boolean
/** What the engine repeats: the beats that were asked for, until they are stopped. */
let beats: Set<() => Promise<void>>
let clock: { now: number }

const every: Parts['every'] = (_ms, work) => {
  beats.add(work)
  return () => void beats.delete(work)
}

const beat = () => Promise.allSettled([...beats].map((work) => work()))

/** Its store goes away with the first write. */
const wire: Wire = {
  send: async () => {
    writes++
    isAway = true
    return { ok: true, reply: { status: 204, headers: {}, body: null, bytes: 0, requests: 1 } }
  },
}

function failing(store: Store): Store {
  const reached = async <Found>(work: () => Promise<Found>): Promise<Found> => {
    if (isAway) throw Object.assign(new Error('the store is away'), { retryable: true })
    return work()
  }
  return {
    ...store,
    read: (...given) => reached(() => store.read(...given)),
    replace: (...given) => reached(() => store.replace(...given)),
    claim: (...given) => reached(() => store.claim(...given)),
    append: (...given) => reached(() => store.append(...given)),
    holdsBytes: (...given) => reached(() => store.holdsBytes(...given)),
  }
}

beforeEach(async () => {
  writes = 0
  isAway = false
  beats = new Set()
  clock = { now: 1_000_000 }
  const store = failing(memoryStore({ clock: { now: () => clock.now } }))
  engine = testEngine({ wire, every, store, effectPolicy: () => 'allow' })
  engine.swap(setOf(fixtureCatalog('shop')))
  await engine.gateway.context(LOCAL_USER, {
    intent: 'shop',
    seeds: [{ api: 'shop', entity: 'Customer' }],
  })
  await engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program })
})

const run = (plan?: string, gateway = engine.gateway) =>
  gateway.run(LOCAL_USER, { logical_session_ref: 's0', program, ...(plan && { plan }) }, { signal })

const ANSWER = `## delete (0 rows)

(no results)

_Changes: 1 done._

**effect_outcome_unrecorded**: \`shop.Customer.delete\` is done, but the store could not record that. Keep this answer and do not repeat the change: later answers may report it as unknown.
`

test('the answer states what the API answered and that it is not recorded', async () => {
  expect((await run('pc1')).text).toBe(
    `${ANSWER}\n**answer_not_kept**: The store could not keep this answer. Keep it yourself and do not repeat its changes: the same call may later report them as unknown.\n`,
  )
})

test.each(['pc1', undefined])('a call right after the outage gets the outcome (plan %s)', async (plan) => {
  await run(plan)
  await expect(run(plan)).rejects.toThrow('the store is away')
  isAway = false
  // The lease expired meanwhile: without the record the run would count as interrupted.
  clock.now += 31_000
  expect((await run(plan)).text).toContain(ANSWER)
  expect(writes).toBe(1)
})

test('another process gets the outcome once the store is back', async () => {
  await run('pc1')
  await beat()
  isAway = false
  await beat()
  expect(beats.size).toBe(0)
  clock.now += 31_000
  expect((await run('pc1', engine.another())).text).toContain(ANSWER)
  expect(writes).toBe(1)
})

test('a run that another process found interrupted is never sent again, and its change is known later', async () => {
  await run('pc1')
  isAway = false
  clock.now += 31_000
  const found = await run('pc1', engine.another())
  expect(found.text).toContain('_Changes: 1 unknown (sent, no answer: read before doing it again)._')
  await beat()
  expect(beats.size).toBe(0)
  expect((await run('pc1', engine.another())).text).toContain('_Changes: 1 done._')
  expect(writes).toBe(1)
})
