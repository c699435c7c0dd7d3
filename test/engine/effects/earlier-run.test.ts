import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import type { EffectPolicy } from '../../../src/access/policy.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

/* A program is reviewed again while the outcome of an earlier run of it is not known. */

const signal = new AbortController().signal
const never = new Promise<never>(() => undefined)
const DELETE = 'Customer("c1").delete()'

let engine: TestEngine
let sent: number
let policy: EffectPolicy
/** What the API answers to the next writes; 204 where nothing is said. */
let answers: ('hangs' | number)[]
const wire: Wire = {
  send: async () => {
    sent++
    const status = answers.shift() ?? 204
    if (status === 'hangs') return never
    return { ok: true, reply: { status, headers: {}, body: {}, bytes: 2, requests: 1 } }
  },
}

beforeEach(async () => {
  sent = 0
  answers = []
  policy = 'review'
  engine = testEngine({ effectPolicy: () => policy, wire })
  engine.swap(setOf(fixtureCatalog('shop')))
  const seeds = [{ api: 'shop', entity: 'Customer' }]
  await engine.gateway.context(LOCAL_USER, { intent: 'shop', seeds })
})

const review = (program = DELETE) => engine.another().plan(LOCAL_USER, { logical_session_ref: 's0', program })
const run = (plan?: string) =>
  engine
    .another()
    .run(LOCAL_USER, { logical_session_ref: 's0', program: DELETE, ...(plan && { plan }) }, { signal })
const settled = () => new Promise((done) => void setImmediate(done))
const warned = async (program?: string) =>
  /^warn: (.*?;)? ?writes/m.exec((await review(program)).text)?.[1] ?? ''

describe('the review of a program', () => {
  test.each([500, 503])('names the run whose changes are unknown (%i)', async (status) => {
    await review()
    answers = [status]
    expect((await run('pc1')).text).toContain('1 unknown')
    expect(await warned()).toBe('pc1 of the same program left changes unknown: read them first;')
    expect((await run('pc2')).text).toContain('_Changes: 1 done._')
    expect(await warned()).toBe('')
  })

  test('names the run that is under way or was interrupted', async () => {
    await review()
    answers = ['hangs']
    void run('pc1')
    await settled()
    expect(await warned()).toBe('pc1 of the same program is still running;')
    engine.advance(30_000)
    const interrupted =
      'pc1 of the same program was interrupted and may have sent changes: run pc1 again for what it sent;'
    expect(await warned()).toBe(interrupted)
    expect((await run('pc1')).text).toContain('run_cut_off')
    expect(await warned()).toBe(interrupted)
  })

  test('names a run without a plan', async () => {
    policy = 'allow'
    answers = ['hangs']
    void run()
    await settled()
    engine.advance(30_000)
    expect(await warned()).toBe(
      'a run of this program without a plan was interrupted and may have sent changes: read them first;',
    )
  })

  test.each([204, 404])('names no run whose outcome is known (%i)', async (status) => {
    await review()
    answers = [status]
    await run('pc1')
    expect(await warned()).toBe('')
  })

  test('names no run of another program', async () => {
    await review()
    answers = [500]
    await run('pc1')
    expect(await warned('Customer("c2").delete()')).toBe('')
  })

  test('shows the run to the person who is asked', async () => {
    await review()
    answers = [500]
    await run('pc1')
    policy = 'confirm'
    await review()
    const asked = await run('pc2')
    expect(asked.ok ? '' : asked.confirm?.review).toContain('pc1 of the same program left changes unknown')
  })
})

test('a plan that was reviewed before such a run is refused', async () => {
  await review()
  await review()
  answers = [500]
  await run('pc1')
  const refused = await run('pc2')
  expect(refused.text).toBe(
    'plan_hides_run at plan: After plan `pc2` was reviewed, plan `pc1` of the same program was run, and its outcome is not known: nothing was sent. Call `plasm_run` with this program and `plan`: `pc1` for its outcome; to send the changes again, review the program again with `plasm`.\n',
  )
  expect(sent).toBe(1)
  await review()
  expect((await run('pc3')).text).toContain('_Changes: 1 done._')
})
