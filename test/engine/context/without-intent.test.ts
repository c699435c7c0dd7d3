import { expect, test } from 'vitest'
import { LOCAL_USER, type Caller } from '../../../src/access/caller.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const BOOK = { api: 'library', entity: 'Book' }
const COPY = { api: 'library', entity: 'Copy' }
const CUSTOMER = { api: 'shop', entity: 'Customer' }
const HTTP = { withoutIntent: true }
const HOUR = 3_600_000

/** What an open with these seeds answers: the ref, whether a row went on, and the text. */
function opener({ gateway }: ReturnType<typeof testEngine>, caller: Caller = LOCAL_USER) {
  return async (...seeds: readonly object[]) => {
    const reply = await gateway.context(caller, { seeds }, HTTP)
    if (!reply.ok) throw new Error(reply.text)
    return { ref: reply.facts.logicalSessionRef, reused: reply.facts.reused, text: reply.text }
  }
}

test('the same seeds in any order are one session', async () => {
  const open = opener(testEngine())
  const first = await open(CUSTOMER, BOOK, COPY)
  expect(first).toEqual({ ref: 's0', reused: false, text: expect.stringMatching(/^`s0`\n\n```tsv\n/) })
  const again = {
    ref: 's0',
    reused: true,
    text: '`s0`\n\n_Session unchanged (`e1`…`e3`). Use `plasm` / `plasm_run` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n',
  }
  expect(await open(COPY, CUSTOMER, BOOK)).toEqual(again)
  expect(await open(BOOK, BOOK, { entry_id: 'library', entity: 'Copy' }, CUSTOMER)).toEqual(again)
})

test('other seeds are another session', async () => {
  const open = opener(testEngine())
  await open(BOOK)
  expect(await open(BOOK, COPY)).toMatchObject({ ref: 's1', reused: false })
  expect(await open(BOOK, CUSTOMER)).toMatchObject({ ref: 's2', reused: false })
  expect(await open(COPY)).toMatchObject({ ref: 's3', reused: false })
  expect(await open(BOOK)).toMatchObject({ ref: 's0', reused: true })
})

test('another digest of any catalog is another session', async () => {
  const engine = testEngine()
  const open = opener(engine)
  await open(BOOK, CUSTOMER)
  engine.swap(setOf(fixtureCatalog('shop', { description: 'Another edition' }), fixtureCatalog('library')))
  expect(await open(BOOK, CUSTOMER)).toMatchObject({ ref: 's1', reused: false })
  engine.swap(setOf(fixtureCatalog('shop'), fixtureCatalog('library')))
  expect(await open(BOOK, CUSTOMER)).toMatchObject({ ref: 's0', reused: true })
})

test('a delegated principal is part of the key', async () => {
  const engine = testEngine()
  const shared = { ...LOCAL_USER, tenantScope: ['shared'] }
  await opener(engine, { ...shared, principal: ['a'], delegated: 'a' })(BOOK)
  const { gateway } = engine
  const b = { ...shared, principal: ['b'], delegated: 'b' }
  expect(await gateway.context(b, { seeds: [BOOK] }, HTTP)).toMatchObject({
    facts: { reused: false, continuity: { stale_binding_recovered: false } },
  })
})

test('an expired row recovers in the same session', async () => {
  const engine = testEngine()
  const open = opener(engine)
  await open(BOOK)
  engine.advance(2 * HOUR)
  expect(await open(BOOK)).toMatchObject({
    ref: 's0',
    reused: false,
    text: expect.stringContaining('Prior Plasm symbol table is void'),
  })
})

function nobody(name: string): Caller {
  return {
    ...LOCAL_USER,
    principal: ['anonymous'],
    tenantScope: ['anonymous', name],
    isAnonymous: true,
  }
}

test('anonymous callers get one each', async () => {
  const engine = testEngine()
  const first = await opener(engine, nobody('random 1'))(BOOK)
  const second = await opener(engine, nobody('random 2'))(BOOK)
  expect([first.ref, first.reused, second.reused]).toEqual([
    expect.stringMatching(/^l_[\w-]{22}$/),
    false,
    false,
  ])
  expect(second.ref).not.toBe(first.ref)
})

test('an intent keeps its session apart', async () => {
  const engine = testEngine()
  await opener(engine)(BOOK)
  const named = await engine.gateway.context(LOCAL_USER, { intent: 'read', seeds: [BOOK] }, HTTP)
  expect(named).toMatchObject({ facts: { logicalSessionRef: 's1', reused: false } })
})

test.each([
  ['no seeds', {}, ['missing_seeds']],
  ['an empty list', { seeds: [] }, ['missing_seeds']],
  ['only what is held', { have: 'none' }, ['missing_seeds']],
  ['a fork', { fork_of: 's0', seeds: [BOOK] }, ['missing_intent']],
])('%s cannot name a session', async (_, input, codes) => {
  const engine = testEngine()
  await opener(engine)(BOOK)
  const reply = await engine.gateway.context(LOCAL_USER, input, HTTP)
  expect(reply.ok ? [] : reply.problems.map(({ code }) => code)).toEqual(codes)
})

test('surfaces that do not allow it ask for the intent', async () => {
  const reply = await testEngine().gateway.context(LOCAL_USER, { seeds: [BOOK] })
  expect(reply.ok ? [] : reply.problems.map(({ code }) => code)).toEqual(['missing_intent'])
})
