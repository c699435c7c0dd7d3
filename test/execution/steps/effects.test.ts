import { afterEach, beforeEach, expect, test } from 'vitest'
import { execute } from '../../../src/execution/executor.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import type { Operation } from '../../../src/language/plan/plan.ts'
import { fetchWire } from '../fetch-wire.ts'
import { arg, each, fed, planOf, query, run, valuesOf, worldOf } from '../plans.ts'
import { integer, startTracker, type Tracker } from '../tracker.ts'

let tracker: Tracker
beforeEach(async () => void (tracker = await startTracker(4)))
afterEach(() => tracker.close())

const create = (title: string): Operation => ({
  kind: 'call',
  capability: 'issue_create',
  identity: [],
  arguments: [arg('title', title)],
})
const titles = (...names: readonly string[]): Operation => ({
  kind: 'data',
  value: { kind: 'literal', value: names.map((title) => ({ title })) },
})
const createEach: Operation = {
  kind: 'each',
  source: 'titles',
  body: { kind: 'call', capability: 'issue_create', identity: [], arguments: [each('title', ['title'])] },
}

test('an each writes row by row, in order', async () => {
  const world = worldOf(tracker.pinned)
  const outcome = await execute(
    planOf(tracker.pinned, [
      { id: 'titles', operation: titles('a', 'b', 'c') },
      { id: 'made', entity: 'Issue', operation: createEach },
    ]),
    world,
  )
  expect(tracker.bodies).toEqual([{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  expect(tracker.busiest()).toBe(1)
  expect(outcome.effects.map(({ row, state }) => [row, state])).toEqual([
    [0, 'done'],
    [1, 'done'],
    [2, 'done'],
  ])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ title: 'a' }, { title: 'b' }, { title: 'c' }])
  expect(world.lines).toEqual([
    'claim made/0 issue_create',
    'settle made/0 done',
    'claim made/1 issue_create',
    'settle made/1 done',
    'claim made/2 issue_create',
    'settle made/2 done',
  ])
})

test('an each stops at its first failure', async () => {
  const outcome = await run(tracker.pinned, [
    { id: 'titles', operation: titles('a', 'bad', 'c') },
    { id: 'made', entity: 'Issue', operation: createEach },
  ])
  expect(tracker.log).toEqual(['POST /issues', 'POST /issues'])
  expect(outcome.effects.map(({ row, state }) => [row, state])).toEqual([
    [0, 'done'],
    [1, 'failed'],
    [2, 'not_sent'],
  ])
  expect(outcome.results[0]).toMatchObject({ rows: [{ values: { title: 'a' } }], partial: 'failed' })
  expect(outcome.problems.map(({ message }) => message)).toEqual([
    '`tracker.Issue.issue_create`: the API rejected the call with status 422: "Validation Failed (title is bad)".',
    '`made` did not finish (1 done, 1 failed, 1 not sent); first, row 2 of 3: `tracker.Issue.issue_create`: the API rejected the call with status 422: "Validation Failed (title is bad)".',
  ])
})

test('an each continues after a refusal if the operator allows it', async () => {
  const outcome = await run(
    tracker.pinned,
    [
      { id: 'titles', operation: titles('a', 'bad', 'c', 'bad', 'gateway', 'f') },
      { id: 'made', entity: 'Issue', operation: createEach },
    ],
    { continueOnRefusal: (catalog) => catalog === 'tracker' },
  )
  // What became of the one behind the gateway is not known: nothing is sent after it.
  expect(outcome.effects.map(({ row, state }) => [row, state])).toEqual([
    [0, 'done'],
    [1, 'failed'],
    [2, 'done'],
    [3, 'failed'],
    [4, 'unknown'],
    [5, 'not_sent'],
  ])
  expect(tracker.bodies).toHaveLength(5)
  expect(valuesOf(outcome.results[0])).toMatchObject([{ title: 'a' }, { title: 'c' }])
  expect(outcome.problems.map(({ message }) => message)).toEqual([
    '`tracker.Issue.issue_create`: the API rejected the call with status 422: "Validation Failed (title is bad)".',
    '`made` did not finish (2 done, 2 failed, 1 unknown, 1 not sent); first, row 2 of 6: `tracker.Issue.issue_create`: the API rejected the call with status 422: "Validation Failed (title is bad)".',
  ])
})

test('an effect with an unknown outcome is never repeated', async () => {
  const world = worldOf(tracker.pinned)
  const outcome = await execute(
    planOf(tracker.pinned, [{ id: 'made', entity: 'Issue', operation: create('gateway') }]),
    world,
  )
  expect(tracker.log).toEqual(['POST /issues'])
  expect(outcome.effects).toMatchObject([{ state: 'unknown', problem: { code: 'effect_unknown' } }])
  expect(world.lines).toEqual(['claim made/0 issue_create', 'settle made/0 unknown'])
})

test('an effect that the ledger has is not sent', async () => {
  const world = worldOf(tracker.pinned)
  const ledger = { ...world.ledger, claim: () => Promise.resolve(false) }
  const outcome = await run(tracker.pinned, [{ id: 'made', entity: 'Issue', operation: create('a') }], {
    ledger,
  })
  expect(tracker.log).toEqual([])
  expect(outcome.effects).toMatchObject([{ state: 'not_sent', problem: { code: 'effect_refused' } }])
})

test('effects keep their written order and stop after a failure', async () => {
  const outcome = await run(
    tracker.pinned,
    [
      { id: 'a', entity: 'Issue', operation: create('a') },
      { id: 'b', entity: 'Issue', operation: create('bad') },
      { id: 'c', entity: 'Issue', operation: create('c') },
      { id: 'after', entity: 'Issue', operation: query('issue_query') },
    ],
    {},
    ['a', 'b', 'c', 'after'],
  )
  expect(tracker.log).toEqual(['POST /issues', 'POST /issues', 'GET /issues?page=1&per_page=10'])
  expect(outcome.effects.map(({ node, state }) => [node, state])).toEqual([
    ['a', 'done'],
    ['b', 'failed'],
    ['c', 'not_sent'],
  ])
  expect(outcome.problems.map(({ code }) => code)).toEqual(['rejected', 'effect_stopped'])
  expect(outcome.results.map(({ rows }) => rows.length)).toEqual([1, 0, 0, 5])
})

test('a read before an effect sees the old, one after it the new', async () => {
  const get: Operation = {
    kind: 'get',
    capability: 'issue_get',
    identity: [arg('id', 1, integer)],
    arguments: [],
  }
  const outcome = await run(
    tracker.pinned,
    [
      { id: 'before', entity: 'Issue', operation: get },
      {
        id: 'closed',
        entity: 'Issue',
        effect: 'side_effect',
        operation: { kind: 'call', capability: 'issue_close', source: 'before', identity: [], arguments: [] },
      },
      { id: 'after', entity: 'Issue', operation: get },
    ],
    {},
    ['before', 'closed', 'after'],
  )
  expect(tracker.log).toEqual(['GET /issues/1', 'POST /issues/1/close', 'GET /issues/1'])
  expect(
    outcome.results.map((result) =>
      valuesOf(result).map((row) => /"state":"(\w+)"/.exec(JSON.stringify(row))?.[1]),
    ),
  ).toEqual([['open'], [], ['closed']])
})

test('an update names its row and keeps it out of the body', async () => {
  const outcome = await run(tracker.pinned, [
    {
      id: 'updated',
      entity: 'Issue',
      operation: {
        kind: 'call',
        capability: 'issue_update',
        identity: [arg('id', 2, integer)],
        arguments: [arg('title', 'Renamed')],
      },
    },
  ])
  expect(tracker.log).toEqual(['PATCH /issues/2'])
  expect(tracker.bodies).toEqual([{ title: 'Renamed' }])
  expect(valuesOf(outcome.results[0])).toMatchObject([{ id: 2, title: 'Renamed' }])
})

const twoCreates = [
  { id: 'a', entity: 'Issue', operation: create('a') },
  { id: 'b', entity: 'Issue', operation: create('b') },
]

test('an aborted run awaits the effect in flight', async () => {
  const aborter = new AbortController()
  const wire: Wire = {
    send(call, limits) {
      const underWay = fetchWire.send(call, limits)
      aborter.abort()
      return underWay
    },
  }
  const world = worldOf(tracker.pinned, { signal: aborter.signal, wire })
  const outcome = await execute(planOf(tracker.pinned, twoCreates), world)
  expect(outcome.effects.map(({ node, state }) => [node, state])).toEqual([
    ['a', 'done'],
    ['b', 'not_sent'],
  ])
  expect(world.lines).toEqual(['claim a/0 issue_create', 'settle a/0 done'])
  expect(tracker.log).toEqual(['POST /issues'])
})

test('an effect claimed but not yet sent stays unsent', async () => {
  const aborter = new AbortController()
  const world = worldOf(tracker.pinned, { signal: aborter.signal })
  const claim: typeof world.ledger.claim = async (effect) => {
    aborter.abort()
    return world.ledger.claim(effect)
  }
  const outcome = await execute(planOf(tracker.pinned, twoCreates), {
    ...world,
    ledger: { ...world.ledger, claim },
  })
  expect(outcome.effects.map(({ node, state }) => [node, state])).toEqual([
    ['a', 'not_sent'],
    ['b', 'not_sent'],
  ])
  expect(world.lines).toEqual(['claim a/0 issue_create', 'settle a/0 not_sent'])
  expect(tracker.log).toEqual([])
})

test('no more effects than the budget allows', async () => {
  const outcome = await run(
    tracker.pinned,
    [
      { id: 'titles', operation: titles('a', 'b', 'c') },
      { id: 'made', entity: 'Issue', operation: createEach },
    ],
    { budget: { effects: 2 } },
  )
  expect(tracker.log).toEqual([])
  expect(outcome.effects.map(({ state }) => state)).toEqual(['not_sent', 'not_sent', 'not_sent'])
  expect(outcome.problems[0]).toMatchObject({
    code: 'too_many_effects',
    message: '`made` would make 3 changes, but the run allows 2 more; none was sent.',
  })
})

test('values that fill holes are checked before anything is sent', async () => {
  const outcome = await run(tracker.pinned, [
    {
      id: 'one',
      entity: 'Issue',
      operation: { kind: 'get', capability: 'issue_get', identity: [arg('id', 1, integer)], arguments: [] },
    },
    {
      id: 'made',
      entity: 'Issue',
      operation: {
        kind: 'call',
        capability: 'issue_create',
        identity: [],
        arguments: [arg('title', 'x'), fed('points', 'one', ['title'], integer)],
      },
    },
  ])
  expect(tracker.log).toEqual(['GET /issues/1'])
  expect(outcome.problems).toMatchObject([
    {
      code: 'computed_value_mismatch',
      message: '`tracker.Issue.issue_create`: `points` must be int, got "Issue 1".',
    },
  ])
  expect(outcome.effects).toMatchObject([{ node: 'made', state: 'not_sent' }])
})

test('the same run sends the same idempotency key', async () => {
  const keys: (string | undefined)[] = []
  const wire: Wire = {
    send(call, limits) {
      keys.push(call.headers.find(([name]) => name === 'Idempotency-Key')?.[1])
      return fetchWire.send(call, limits)
    },
  }
  const nodes = [{ id: 'made', entity: 'Issue', operation: create('a') }]
  await run(tracker.pinned, nodes, { wire, runId: 'one' })
  await run(tracker.pinned, nodes, { wire, runId: 'one' })
  await run(tracker.pinned, nodes, { wire, runId: 'two' })
  await run(tracker.pinned, nodes, { wire })
  expect(keys[0]).toMatch(/^[0-9a-f]{32}$/)
  expect(keys[1]).toBe(keys[0])
  expect(keys[2]).not.toBe(keys[0])
  expect(keys[3]).toBeUndefined()
})

test('an each with one wrong row sends none', async () => {
  const points = {
    id: 'rows',
    operation: { kind: 'data', value: { kind: 'literal', value: [{ p: 1 }, { p: 'many' }] } },
  } as const
  const outcome = await run(tracker.pinned, [
    points,
    {
      id: 'made',
      entity: 'Issue',
      operation: {
        kind: 'each',
        source: 'rows',
        body: {
          kind: 'call',
          capability: 'issue_create',
          identity: [],
          arguments: [arg('title', 'x'), each('points', ['p'], integer)],
        },
      },
    },
  ])
  expect(tracker.log).toEqual([])
  expect(outcome.effects.map(({ row, state }) => [row, state])).toEqual([
    [0, 'not_sent'],
    [1, 'not_sent'],
  ])
  expect(outcome.problems.map(({ message }) => message)).toEqual([
    '`tracker.Issue.issue_create`: `points` must be int, got "many".',
    '`made` did not begin: row 2 of 2 cannot be sent: `tracker.Issue.issue_create`: `points` must be int, got "many".',
  ])
})

test.each([
  [302, 'unknown'],
  [400, 'failed'],
  [408, 'unknown'],
  [307, 'failed'],
  [500, 'unknown'],
  [501, 'failed'],
  [527, 'unknown'],
] as const)('a write answered with %i is %s', async (status, state) => {
  const wire: Wire = {
    send: () =>
      Promise.resolve({ ok: true, reply: { status, headers: {}, body: null, bytes: 0, requests: 1 } }),
  }
  const outcome = await run(tracker.pinned, [{ id: 'made', entity: 'Issue', operation: create('a') }], {
    wire,
  })
  expect(outcome.effects.map((effect) => effect.state)).toEqual([state])
  if (state === 'unknown')
    expect(outcome.problems[0]?.next).toBe('Read `Issue()` to see whether it was done; it is not sent again.')
})

test('a write with a key is sent once more where its outcome would be unknown', async () => {
  const statuses = [503, 201]
  const keys: (string | undefined)[] = []
  const wire: Wire = {
    send: (call) => {
      keys.push(call.headers.find(([name]) => name === 'Idempotency-Key')?.[1])
      const status = statuses.shift() ?? 500
      return Promise.resolve({ ok: true, reply: { status, headers: {}, body: null, bytes: 0, requests: 1 } })
    },
  }
  const made = { id: 'made', entity: 'Issue', operation: create('a') }
  const outcome = await run(tracker.pinned, [made], { wire, runId: 'one' })
  expect(outcome.effects.map((effect) => effect.state)).toEqual(['done'])
  expect(keys).toEqual([expect.any(String), keys[0]])
})
