import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import type { Reply } from '../../../src/engine/contract.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/parts.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const never = new Promise<never>(() => undefined)
const shared = { tenantScope: ['tenant', 'acme'] }
const ann: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'ann'] }
const bob: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'bob'] }
const DELETE = 'Customer("c1").delete()'

let engine: TestEngine
let sent: string[]
/** What the API answers to the write of this number, from 1; 204 where nothing is said. */
let answers: Record<number, 'hangs' | number>
const wire: Wire = {
  send: async ({ method, target }) => {
    sent.push(`${method} ${'path' in target ? target.path : target.url}`)
    const answer = answers[sent.length] ?? 204
    if (answer === 'hangs') return never
    return { ok: true, reply: { status: answer, headers: {}, body: {}, bytes: 2, requests: 1 } }
  },
}
beforeEach(async () => {
  sent = []
  answers = {}
  engine = testEngine({ effectPolicy: () => 'allow', wire })
  engine.swap(setOf(fixtureCatalog('shop')))
  for (const caller of [ann, bob])
    await engine.gateway.context(caller, { intent: 'shop', seeds: [{ api: 'shop', entity: 'Customer' }] })
})

const run = (program = DELETE, caller = ann, gateway = engine.gateway) =>
  gateway.run(caller, { logical_session_ref: 's0', program }, { signal })
const codes = (reply: Reply<{ readonly problems: readonly { readonly code: string }[] }>) =>
  (reply.ok ? reply.facts.problems : reply.problems).map(({ code }) => code)
const settled = () => new Promise((done) => void setImmediate(done))

describe('a change that needs no plan', () => {
  test('delivered twice happens once, and says how to do it again', async () => {
    const first = await run()
    engine.advance(59_999)
    const second = await run(DELETE, ann, engine.another())
    expect(sent).toEqual(['DELETE /customers/c1'])
    expect(first.text).toBe('## delete (0 rows)\n\n(no results)\n\n_Changes: 1 done._\n')
    expect(second.text).toBe(
      `${first.text}\n**run_repeated**: The same program ran a moment ago; this is its outcome, and nothing was sent again. To repeat it, review it with \`plasm\` and run it with its \`plan\`, or wait a minute.\n`,
    )
  })

  test('is identified by what it does, not by how it is written', async () => {
    await run()
    expect(codes(await run('gone = Customer("c1").delete()\ngone'))).toEqual(['run_repeated'])
    expect(codes(await run('Customer("c2").delete()'))).toEqual([])
    expect(codes(await run(DELETE, bob))).toEqual([])
    expect(sent).toEqual(['DELETE /customers/c1', 'DELETE /customers/c2', 'DELETE /customers/c1'])
  })

  test('happens again after a minute, or by a plan', async () => {
    await run()
    await engine.gateway.plan(ann, { logical_session_ref: 's0', program: DELETE })
    const input = { logical_session_ref: 's0', program: DELETE, plan: 'pc1' }
    expect((await engine.gateway.run(ann, input, { signal })).text).toContain('_Changes: 1 done._')
    engine.advance(60_000)
    expect(codes(await run())).toEqual([])
    expect(sent).toHaveLength(3)
  })

  test('that was not sent may be sent again at once', async () => {
    const gone = new AbortController()
    gone.abort()
    const input = { logical_session_ref: 's0', program: DELETE }
    expect((await engine.gateway.run(ann, input, { signal: gone.signal })).text).toContain('1 not sent')
    expect((await run()).text).toContain('_Changes: 1 done._')
  })

  test.each([404, 500, 'hangs'] as const)('that failed with %s is not sent again', async (answer) => {
    answers = { 1: answer }
    const first = answer === 'hangs' ? (void run(), await settled()) : await run()
    expect(codes(await run())).toContain(first ? 'run_repeated' : 'run_running')
    expect(sent).toHaveLength(1)
  })

  test('that two send at once is sent once', async () => {
    const replies = await Promise.all([run(), run(DELETE, ann, engine.another())])
    expect(replies.map((reply) => codes(reply).join()).toSorted()).toEqual(['', 'run_running'])
    expect(sent).toHaveLength(1)
  })
})

describe('a run without a plan that was cut off', () => {
  const TWO = 'a = Customer("c1").delete()\nb = Customer("c2").delete()\na, b'
  beforeEach(async () => {
    answers = { 2: 'hangs' }
    void run(TWO)
    await settled()
    answers = {}
  })

  test('is waited for, then reported from its ledger', async () => {
    expect((await run(TWO)).text).toBe(
      'run_running: The same program was started a moment ago and is still running. Send the same call again later for the outcome of every change; an interrupted run is detected within 30 s.\n',
    )
    engine.advance(30_000)
    const told = await run(TWO)
    expect(told.text).toBe(`_Changes: 1 done, 1 unknown (sent, no answer: read before doing it again)._
- shop:customer_delete row 1: unknown: The run was interrupted while this change was being sent. Read \`e1("c2")\` to see whether it was done.

**run_cut_off**: The run of this program was interrupted; this is what its ledger recorded, and nothing was sent again. Read the unknown changes.
`)
    expect(await run(TWO)).toEqual(told)
    expect(sent).toHaveLength(2)
  })

  test('is reported weeks later, and runs anew a minute after that', async () => {
    engine.advance(DEFAULT_LIMITS.effectLifeMs - 1000)
    await engine.gateway.context(ann, { intent: 'shop', have: 'none' })
    expect(codes(await run(TWO))).toEqual(['run_cut_off'])
    engine.advance(60_000)
    expect(codes(await run(TWO))).toEqual([])
    expect(sent).toHaveLength(4)
  })
})
