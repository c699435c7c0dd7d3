import { expect, test } from 'vitest'
import { type Caller, callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../../src/access/caller.ts'
import { EVERYTHING } from '../../../src/access/policy.ts'
import type { Gateway } from '../../../src/engine/contract.ts'
import { testEngine, type TestEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const HOUR = 3_600_000
const ALL = [
  fixtureCatalog('shop'),
  fixtureCatalog('library'),
  fixtureCatalog('shop', { id: 'zoo', aliases: [] }),
]
const intent = 'customers'
const customer = { api: 'shop', entity: 'Customer' }
const book = { api: 'library', entity: 'Book' }
const shared = { ...DEFAULT_RESOLUTION, sessionScope: 'tenant' } as const
const member = (subject: string) => callerOf({ from: 'key', tenant: 't', subject }, shared, () => EVERYTHING)
const [ann, bob] = [member('ann'), member('bob')]
const delegating = { ...LOCAL_USER, delegated: '["local"]' }

/** Said again and again, then said otherwise, or where something else is otherwise. */
const call =
  (input: unknown, caller: Caller = LOCAL_USER) =>
  (gateway: Gateway) =>
    gateway.context(caller, input, { withoutIntent: true })
const moved = (change: (engine: TestEngine) => void) => async (_: Gateway, engine: TestEngine) =>
  change(engine)
type Step = (gateway: Gateway, engine: TestEngine) => Promise<unknown>

const twice = (...step: readonly Step[]) => [...step, ...step]
const opened = { intent, seeds: [customer] }
const byRef = { ...opened, logical_session_ref: 's0' }
const lost =
  (input: unknown, caller: Caller): Step =>
  (_, engine) =>
    engine.losing().context(caller, input)

/** Each begins with a session that was opened and repeated: `opened` was answered with one line. */
const HISTORIES: Record<string, readonly Step[]> = {
  'another entity': [call({ intent, seeds: [{ api: 'shop', entity: 'Order' }] })],
  'an entity more': [call({ intent, seeds: [customer, { api: 'shop', entity: 'Order' }] })],
  'a catalog more': [call({ intent, seeds: [customer, { api: 'zoo', entity: 'Customer' }] })],
  'another catalog': [call({ intent, seeds: [{ api: 'zoo', entity: 'Customer' }] })],
  'a reader who forgot': [call({ ...opened, have: 'none' })],
  'a reader who knows too much': [call({ ...opened, have: 'e9' })],
  'another intent beside the ref': [...twice(call(byRef)), call({ ...byRef, intent: 'x' })],
  'a fork of another session': [
    call({ intent: 'other', seeds: [book] }),
    ...twice(call(opened)),
    call({ ...opened, fork_of: 's1' }),
  ],
  'a fork of what another member calls by the same name': [
    call({ intent: 'of ann', seeds: [customer] }, ann),
    call({ intent: 'of bob', seeds: [customer] }, bob),
    call({ intent: 'forked', seeds: [book], fork_of: 's0' }, ann),
    ...twice(call({ intent: 'forked', seeds: [book] }, bob)),
    ...twice(call({ intent: 'forked', seeds: [book], fork_of: 's0' }, ann)),
    call({ intent: 'forked', seeds: [book], fork_of: 's0' }, bob),
  ],
  'catalogs that changed': [
    ...twice(call({ intent, have: 'e1' })),
    moved(({ swap }) => swap(setOf(fixtureCatalog('shop', { version: 9 })))),
    call({ intent, have: 'e1' }),
  ],
  'an idle hour': [moved(({ advance }) => advance(2 * HOUR)), call(opened)],
  'uses that keep it alive': Array.from({ length: 5 }, () => [
    moved(({ advance }) => advance(0.7 * HOUR)),
    call(opened),
  ]).flat(),
  'a new name for it': [
    ...twice(call(opened, ann), call(opened, bob)),
    (gateway) => gateway.close(bob, 's0'),
    ...twice(call(opened, bob), call(opened, ann)),
  ],
  'a member who was never reached': [
    ...twice(call(opened, ann)),
    lost(opened, bob),
    call(opened, ann),
    call(opened, bob),
  ],
  'another principal in the key': [call(opened, delegating)],
}

/** What of an answer can be told apart. */
const told = (reply: unknown) => JSON.stringify(reply)

test.each(Object.entries(HISTORIES))('answers like a new engine: %s', async (_, steps) => {
  const history = [...twice(call(opened)), ...steps]
  const [warm, cold] = [testEngine(), testEngine()]
  for (const engine of [warm, cold]) engine.swap(setOf(...ALL))
  for (const step of history)
    expect(told(await step(warm.gateway, warm))).toEqual(told(await step(cold.another(), cold)))
})

test('a repeat is not made again', async () => {
  const { gateway } = testEngine()
  const say = call(opened)
  await say(gateway)
  const first = await say(gateway)
  expect(await say(gateway)).toBe(first)
})
