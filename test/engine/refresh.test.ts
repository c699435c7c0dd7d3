import { expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../src/access/caller.ts'
import { testEngine } from './engines.ts'

const SEEDS = [{ api: 'shop', entity: 'Customer' }]
const signal = new AbortController().signal

/** A caller who learns at each refresh what the operator wants. */
function callerUnder(operator: { wants: boolean }): Caller {
  let may = true
  return {
    ...LOCAL_USER,
    isLongLived: true,
    mayUseCatalog: () => may,
    refresh: async () => {
      may = operator.wants
      return true
    },
  }
}

test('a right that the operator revokes is gone at the next call', async () => {
  const operator = { wants: true }
  const caller = callerUnder(operator)
  const { gateway } = testEngine()
  expect((await gateway.context(caller, { intent: 'a', seeds: SEEDS })).ok).toBe(true)
  operator.wants = false
  const input = { logical_session_ref: 's0', program: 'Customer' }
  const replies = await Promise.all([
    gateway.context(caller, { intent: 'b', seeds: SEEDS }),
    gateway.plan(caller, input),
    gateway.run(caller, input, { signal }),
  ])
  expect(replies.map(({ ok }) => ok)).toEqual([false, false, false])
  expect(await gateway.registry(caller)).toMatchObject({ facts: { entries: [] } })
})

test('a write revoked in the middle of a run is not sent', async () => {
  const operator = { wants: true }
  const caller = callerUnder(operator)
  const sent: string[] = []
  const engine = testEngine({
    effectPolicy: () => 'allow',
    wire: {
      send: async ({ method }) => {
        sent.push(method)
        operator.wants = false
        return { ok: true, reply: { status: 204, headers: {}, body: {}, bytes: 2, requests: 1 } }
      },
    },
  })
  await engine.gateway.context(caller, { intent: 'a', seeds: SEEDS })
  const program = 'a = Customer("c1").delete()\nb = Customer("c2").delete()\na, b'
  const input = { logical_session_ref: 's0', program }
  expect(await engine.gateway.run(caller, input, { signal })).toMatchObject({
    facts: { effects: [{ state: 'done' }, { state: 'not_sent', problem: { code: 'effect_denied' } }] },
  })
  expect(sent).toEqual(['DELETE'])
})
