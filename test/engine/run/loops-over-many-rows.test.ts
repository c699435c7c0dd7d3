import { expect, test } from 'vitest'
import { type Caller, LOCAL_USER } from '../../../src/engine/index.ts'
import { testEngine } from '../engines.ts'

/* A list of ten thousand rows, and loops that read for each of them: no more is begun than the budget allows. */

const LOOPS = 20
const signal = new AbortController().signal
const customers = Array.from({ length: 9000 }, (_, id) => ({ id: `c${id}`, name: `Customer ${id}` }))

test('reads behind the end of the budget are not begun', async () => {
  let [sent, admitted] = [0, 0]
  const { gateway } = testEngine({
    wire: {
      send: async () => {
        sent++
        const body = sent === 1 ? { customers } : { orders: [] }
        return { ok: true, reply: { status: 200, headers: {}, body, bytes: 1, requests: 1 } }
      },
    },
  })
  const caller: Caller = {
    ...LOCAL_USER,
    mayUseCapability: (...asked) => {
      admitted++
      return LOCAL_USER.mayUseCapability(...asked)
    },
  }
  const seeds = ['Customer', 'Order'].map((entity) => ({ api: 'shop', entity }))
  await gateway.context(caller, { intent: 'loops', seeds })
  const names = Array.from({ length: LOOPS }, (_, at) => `b${at}`)
  const program = ['a = e1', ...names.map((name) => `${name} = a => _.orders`), names.join(', ')].join('\n')
  const reply = await gateway.run(caller, { logical_session_ref: 's0', program }, { signal })
  expect(reply.text).toContain('budget_exhausted')
  expect(sent).toBeLessThanOrEqual(200)
  // The reads that had begun when the budget ended ask for rights as well.
  expect(admitted).toBeLessThan(2000)
})
