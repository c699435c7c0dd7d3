import { beforeEach, describe, expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import type { Confirmation, Reply } from '../../../src/engine/contract.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const shared = { tenantScope: ['tenant', 'acme'] }
const ann: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'ann'] }
const bob: Caller = { ...LOCAL_USER, ...shared, principal: ['user', 'bob'] }
const DELETE = 'Customer("c1").delete()'

let engine: TestEngine
let sent: string[]
beforeEach(async () => {
  sent = []
  engine = testEngine({
    effectPolicy: () => 'confirm',
    wire: {
      send: async ({ method, target }) => {
        sent.push(`${method} ${'path' in target ? target.path : target.url}`)
        return { ok: true, reply: { status: 200, headers: {}, body: {}, bytes: 2, requests: 1 } }
      },
    },
  })
  engine.swap(setOf(fixtureCatalog('shop')))
  for (const caller of [ann, bob])
    await engine.gateway.context(caller, { intent: 'shop', seeds: [{ api: 'shop', entity: 'Customer' }] })
})

const plan = (program: string, caller = ann) =>
  engine.gateway.plan(caller, { logical_session_ref: 's0', program })
const run = (program: string, planRef: string, confirmed?: string, caller = ann) =>
  engine.gateway.run(
    caller,
    { logical_session_ref: 's0', program, plan: planRef },
    { signal, ...(confirmed !== undefined && { confirmed }) },
  )
const codes = (reply: Reply<unknown>) => (reply.ok ? [] : reply.problems.map(({ code }) => code))
const asked = (reply: Reply<unknown>): Confirmation => {
  if (reply.ok || !reply.confirm) throw new Error(`nobody is asked: ${reply.text}`)
  return reply.confirm
}

describe('a plan that a person has to agree to', () => {
  test('says so, is shown in full, and sends nothing', async () => {
    expect((await plan(DELETE)).text).toMatch(/within 10 minutes\. A person has to agree first\._\n$/)
    const refused = await run(DELETE, 'pc1')
    expect(refused.text).toBe(
      'not_confirmed at plan: `shop.Customer.delete` must be confirmed by a person: plan `pc1` is not confirmed. Ask your user to confirm when prompted, or to run the program with plan `pc1` on the command line; otherwise omit it.\n',
    )
    expect(asked(refused)).toEqual({
      plan: 'pc1',
      review: `plan review · 1n 0r 1w → w1 · pc1
warn: writes shop:customer_delete

01 w1           WRITE shop.Customer customer_delete (id="c1")`,
      code: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(refused.text).not.toContain(asked(refused).code)
  })

  test('calls no step by a label of the program', async () => {
    const program = `w1 = Customer("c1")\n${DELETE}\nw1`
    await plan(program)
    expect(asked(await run(program, 'pc1')).review).toContain(
      '02 w2           WRITE shop.Customer customer_delete (id="c1")',
    )
    expect(sent).toEqual([])
  })

  test('runs once by the code, from any process', async () => {
    await plan(DELETE)
    const { code } = asked(await run(DELETE, 'pc1'))
    const input = { logical_session_ref: 's0', program: DELETE, plan: 'pc1' }
    const done = await engine.another().run(ann, input, { signal, confirmed: code })
    expect(done.text).toContain('_Changes: 1 done._')
    // What was done is told to whoever asks, without asking anybody again.
    expect(await run(DELETE, 'pc1')).toEqual(done)
    expect(sent).toHaveLength(1)
  })

  test.each([
    ['another plan of the same program', () => plan(DELETE).then(() => run(DELETE, 'pc1'))],
    [
      'a plan of another program',
      () => plan('Customer("c2").delete()').then(() => run('Customer("c2").delete()', 'pc2')),
    ],
    [
      'the same plan of somebody else',
      () => plan(DELETE, bob).then(() => run(DELETE, 'pc1', undefined, bob)),
    ],
  ])('is not run by the code of %s', async (_what, other) => {
    await plan(DELETE)
    const { code } = asked(await other())
    await plan(DELETE)
    const mine = await plan(DELETE)
    const ref = mine.ok ? (mine.facts.planRef ?? '') : ''
    expect(codes(await run(DELETE, ref, code))).toEqual(['not_confirmed'])
    expect(sent).toEqual([])
  })

  test('is not agreed to by words in the call itself', async () => {
    await plan(DELETE)
    const { code } = asked(await run(DELETE, 'pc1'))
    for (const more of [{ confirm: code }, { confirmed: code }, { plan: `pc1 ${code}` }]) {
      const input = { logical_session_ref: 's0', program: DELETE, plan: 'pc1', ...more }
      expect((await engine.gateway.run(ann, input, { signal })).ok).toBe(false)
    }
    expect(sent).toEqual([])
  })

  test('ends ten minutes after it was made', async () => {
    await plan(DELETE)
    const { code } = asked(await run(DELETE, 'pc1'))
    engine.advance(600_000)
    expect(codes(await run(DELETE, 'pc1', code))).toEqual(['unknown_plan'])
  })
})

test('a review shows invisible characters', async () => {
  const hidden = 'gift \u202Ecard\u200B\u0007'
  await plan(`Customer("c1").update(name="${hidden}", notes="${'x'.repeat(300)}")`)
  const { review } = asked(
    await run(`Customer("c1").update(name="${hidden}", notes="${'x'.repeat(300)}")`, 'pc1'),
  )
  expect(review).toContain('"gift \\u{202e}card\\u{200b}\\u0007"')
  expect(review).toMatch(/x… \(302 characters, sha256 [0-9a-f]{16}\)/)
})
