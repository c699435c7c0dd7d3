import { expect, test } from 'vitest'
import { callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../../src/access/caller.ts'
import type { Identity } from '../../../src/access/identity.ts'
import { EVERYTHING } from '../../../src/access/policy.ts'
import { testEngine } from '../engines.ts'

const announced = { conversation: 'vscode.conversationId:1' }
const customers = [{ api: 'shop', entity: 'Customer' }]
const books = [{ api: 'library', entity: 'Book' }]

function callerFor(identity: Identity) {
  return callerOf(identity, DEFAULT_RESOLUTION, () => EVERYTHING)
}

/** What an answer says about other sessions. */
async function relations(...[{ gateway }, caller, input, options]: Parameters<typeof opened>) {
  const reply = await gateway.context(caller, input, options)
  return reply.ok ? (reply.meta['relations'] ?? []) : reply.problems
}

async function opened(
  { gateway }: ReturnType<typeof testEngine>,
  caller: typeof LOCAL_USER,
  input: object,
  options: object,
) {
  return gateway.context(caller, input, options)
}

test('a new session names the one that was used in the same conversation', async () => {
  const engine = testEngine()
  await opened(engine, LOCAL_USER, { intent: 'customers', seeds: customers }, { announced })
  const other = { intent: 'something else entirely', seeds: books }
  expect(await relations(engine, LOCAL_USER, other, { announced })).toEqual([
    { kind: 'same_conversation', logical_session_ref: 's0', shared: [] },
  ])
})

test('a conversation selects nothing', async () => {
  const engine = testEngine()
  const first = await opened(engine, LOCAL_USER, { intent: 'customers', seeds: customers }, { announced })
  const second = await opened(engine, LOCAL_USER, { intent: 'books', seeds: books }, { announced })
  expect(first.ok && second.ok && first.facts.longRef !== second.facts.longRef).toBe(true)
  const nameless = await opened(engine, LOCAL_USER, { seeds: customers }, { announced })
  expect(nameless).toMatchObject({ ok: false, problems: [{ code: 'missing_intent' }] })
})

test.each<[string, Identity]>([
  ['another key', { from: 'key', subject: 'bob' }],
  ['an anonymous caller', { from: 'anonymous', name: 'n' }],
])('%s learns nothing from a conversation of the same id', async (_, identity) => {
  const engine = testEngine()
  const ann = callerFor({ from: 'key', subject: 'ann' })
  await opened(engine, ann, { intent: 'customers', seeds: customers }, { announced })
  const other = { intent: 'books', seeds: books }
  expect(await relations(engine, callerFor(identity), other, { announced })).toEqual([])
  expect(await relations(engine, ann, other, { announced: { conversation: 'threadId:1' } })).toEqual([])
  expect(await relations(engine, ann, { ...other, intent: 'more books' }, { announced })).toHaveLength(1)
})

test('anonymous sessions are bound to no conversation', async () => {
  const engine = testEngine()
  for (const name of ['n1', 'n2']) {
    const caller = callerFor({ from: 'anonymous', name })
    expect(await relations(engine, caller, { intent: name, seeds: customers }, { announced })).toEqual([])
  }
})

test('a closed session is named no more', async () => {
  const engine = testEngine()
  await opened(engine, LOCAL_USER, { intent: 'customers', seeds: customers }, { announced })
  await engine.gateway.close(LOCAL_USER, 's0')
  expect(await relations(engine, LOCAL_USER, { intent: 'books', seeds: books }, { announced })).toEqual([])
})

test('one conversation names its last three sessions', async () => {
  const engine = testEngine()
  for (let at = 0; at < 12; at++)
    await opened(engine, LOCAL_USER, { intent: `goal number ${at}`, seeds: customers }, { announced })
  const last = { intent: 'books', seeds: books }
  expect(await relations(engine, LOCAL_USER, last, { announced })).toMatchObject([
    { logical_session_ref: 's11' },
    { logical_session_ref: 's10' },
    { logical_session_ref: 's9' },
  ])
})

test('a repeat in another conversation is remembered there', async () => {
  const engine = testEngine()
  const first = { intent: 'customers', seeds: customers }
  for (const conversation of ['a', 'a', 'b'])
    await opened(engine, LOCAL_USER, first, { announced: { conversation } })
  const other = { intent: 'books', seeds: books }
  expect(await relations(engine, LOCAL_USER, other, { announced: { conversation: 'b' } })).toMatchObject([
    { kind: 'same_conversation', logical_session_ref: 's0' },
  ])
})
