import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Parts } from '../../../src/engine/parts.ts'
import type { Store } from '../../../src/engine/store.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const never = new Promise<never>(() => undefined)
const program = `p = Product.limit(3)
r = p => Product(_.id).restock(quantity=1)
c = Customer("c1").delete()
r, c`

/** Answers reads, counts writes, and from the given one on lets its sender wait for ever. */
function shop(cutAt: number, writes: string[] = []): Wire & { readonly writes: string[] } {
  return {
    writes,
    send: async ({ method, target }) => {
      const path = 'path' in target ? target.path : target.url
      if (method !== 'GET') writes.push(path)
      if (method !== 'GET' && writes.length >= cutAt) return never
      const products = [1, 2, 3].map((id) => ({ id, stock: 1, name: 'Saw' }))
      const body = method === 'GET' ? { data: { products }, paging: {} } : { id: 1, stock: 2 }
      return { ok: true, reply: { status: 200, headers: {}, body, bytes: 10, requests: 1 } }
    },
  }
}

/** The program as a reviewed plan, `pc1`. */
async function planned(wire: Wire, changes: Partial<Parts> = {}): Promise<TestEngine> {
  const engine = testEngine({ wire, ...changes })
  engine.swap(setOf(fixtureCatalog('shop')))
  const seeds = ['Customer', 'Product'].map((entity) => ({ api: 'shop', entity }))
  await engine.gateway.context(LOCAL_USER, { intent: 'shop', seeds })
  await engine.gateway.plan(LOCAL_USER, { logical_session_ref: 's0', program })
  return engine
}

/** A run that hangs at its second write, as if its process had died there. */
async function cutOff(wire: Wire, changes: Partial<Parts> = {}): Promise<TestEngine> {
  const engine = await planned(wire, changes)
  void run(engine)
  await settled()
  return engine
}

const run = (engine: TestEngine, plan = 'pc1') =>
  engine.another().run(LOCAL_USER, { logical_session_ref: 's0', program, plan }, { signal })

/** Everything that does not wait for the world is done. */
const settled = () => new Promise((done) => void setImmediate(done))

test('a loop that stops says so where the plan of its rest cannot be kept', async () => {
  const wire = shop(9)
  const store = memoryStore({ clock: { now: () => 1_000_000 } })
  let isFull = false
  const failing: Store = {
    ...store,
    append: async (entry) => {
      if (isFull && entry.kind === 'plan') throw new Error('the disk is full')
      return store.append(entry)
    },
  }
  const refusing: Wire = {
    send: async (call, limits) => {
      isFull = true
      return call.method !== 'GET' && wire.writes.length === 1
        ? { ok: true, reply: { status: 422, headers: {}, body: null, bytes: 0, requests: 1 } }
        : wire.send(call, limits)
    },
  }
  const engine = await planned(refusing, { store: failing })
  const { text } = await run(engine)
  expect(text).toContain('_Changes: 1 done, 1 failed, 2 not sent._')
  expect(text).toContain(
    '**rest_not_planned**: The store could not keep a plan of the rows that were not sent. Read which changes exist, then send the others with a program of their own.',
  )
})

test('a row that was not sent since the store failed is sent by the plan of the rest', async () => {
  const wire = shop(9)
  const store = memoryStore({ clock: { now: () => 1_000_000 } })
  let claims = 0
  let fails = false
  const failing: Store = {
    ...store,
    claim: async (entry) => {
      if (entry.kind === 'effect') fails = ++claims === 2
      return store.claim(entry)
    },
    read: async (...entry) => {
      if (fails && entry[1] === 'plan') {
        fails = false
        throw new Error('the store is away')
      }
      return store.read(...entry)
    },
  }
  const engine = await planned(wire, { store: failing })
  const { text } = await run(engine)
  expect(text).toContain('_Changes: 1 done, 3 not sent._')
  expect(text).toContain('covers exactly what `r` did not send: rows 2 and 3.')
  expect((await run(engine, 'pc2')).text).toContain('_Changes: 2 done._')
  expect(wire.writes).toEqual([1, 2, 3].map((id) => `/products/${id}/restock`))
})

test('a run that may still live is waited for', async () => {
  const wire = shop(2)
  const engine = await cutOff(wire)
  const reply = await run(engine)
  expect(reply.text).toBe(
    'plan_running at plan: Plan `pc1` was started and has no recorded outcome yet. Send the same call again later for the outcome of every change; an interrupted run is detected within 30 s.\n',
  )
})

test('a run that was cut off is reported from its ledger', async () => {
  const wire = shop(2)
  const engine = await cutOff(wire)
  engine.advance(30_000)
  const reply = await run(engine)
  expect(reply.text)
    .toBe(`_Changes: 1 done, 1 unknown (sent, no answer: read before doing it again), 2 not sent._
- shop:product_restock row 2: unknown: The run was interrupted while this change was being sent. Read \`e2(2)\` to see whether it was done.
- shop:product_restock row 3: not_sent
- shop:customer_delete row 1: not_sent

**run_cut_off**: The run of this program was interrupted; this is what its ledger recorded, and nothing was sent again. Read the unknown changes, then run the plan below for the rows that it names, then review a program for the other changes that were not sent with \`plasm\`.

**rest_planned**: Plan \`pc2\` covers exactly what \`r\` did not send: row 3. Once nothing stops the loop any more, call \`plasm_run\` with this program and \`plan\`: \`pc2\` within 10 minutes: it sends those rows only, with the values that they had.
`)
  expect(await run(engine)).toEqual(reply)
  expect(wire.writes).toEqual(['/products/1/restock', '/products/2/restock'])
})

test('a run that was cut off sends nothing more', async () => {
  const wire = shop(9)
  const store = memoryStore({ clock: { now: () => clock.now } })
  const clock = { now: 1_000_000 }
  let wakeUp = () => {}
  const asleep = new Promise<void>((done) => void (wakeUp = done))
  const sleepy: Store = {
    ...store,
    claim: async (...line) => (await asleep, store.claim(...line)),
  }
  const engine = await cutOff(wire, { store: sleepy })
  clock.now += 30_000
  expect((await run(engine)).text).toContain('_Changes: 2 not sent._')
  wakeUp()
  await settled()
  await settled()
  expect(wire.writes).toEqual([])
  expect((await run(engine)).text).toContain('_Changes: 4 not sent._')
})

test('a run that renews its lease is never cut off', async () => {
  let beat = async () => {}
  const every: Parts['every'] = (_ms, work) => {
    beat = work
    return () => void (beat = async () => {})
  }
  const wire = shop(2)
  const engine = await cutOff(wire, { every })
  for (let seconds = 0; seconds < 3600; seconds += 10) {
    engine.advance(10_000)
    await beat()
  }
  await engine.gateway.context(LOCAL_USER, { intent: 'shop', have: 'none' })
  expect((await run(engine)).text).toMatch(/^plan_running .* is detected within 30 s\.\n$/)
  engine.advance(30_000)
  expect((await run(engine)).text).toContain('**run_cut_off**')
})

test('a row is sent once, however many plans cover it', async () => {
  let api = shop(2)
  const engine = await cutOff({ send: (call, limits) => api.send(call, limits) })
  engine.advance(30_000)
  // Each of them finds that nothing was offered yet, and offers the rest.
  const told = await Promise.all([run(engine), run(engine), run(engine)])
  for (const { text } of told) expect(text).toContain('`plan`: `pc2`')
  api = shop(9)
  const send = (plan: string) => run(engine, plan)
  expect((await send('pc2')).text).toContain('_Changes: 1 done._')
  for (const plan of ['pc3', 'pc4']) expect((await send(plan)).text).toContain('effect_repeated')
  expect(api.writes).toEqual(['/products/3/restock'])
})
