import { setMaxListeners } from 'node:events'
import { beforeEach, expect, test, vi } from 'vitest'
import { type Caller, callerOf, DEFAULT_RESOLUTION } from '../../../src/access/caller.ts'
import type { Identity } from '../../../src/access/identity.ts'
import { EVERYTHING } from '../../../src/access/policy.ts'
import type { Gateway, Reply } from '../../../src/engine/contract.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/parts.ts'
import { testEngine } from '../engines.ts'

/* The API holds its answers until the test releases them. Each principal may run two programs at a time. */

const caller = (identity: Identity) => callerOf(identity, DEFAULT_RESOLUTION, () => EVERYTHING)
const alice = caller({ from: 'key', subject: 'alice' })
const bob = caller({ from: 'key', subject: 'bob' })

let gateway: Gateway
/** The calls that reached the API, by principal, and how each is answered. */
let sent: { readonly principal: string; readonly answer: () => void }[]
/** Does the API answer at once? */
let isOpen: boolean
/** What is to happen after a time, if it is not called off. */
let timers: Map<() => Promise<void>, number>

beforeEach(() => {
  ;[sent, timers, isOpen] = [[], new Map(), false]
  const reply = { status: 200, headers: {}, body: { customers: [] }, bytes: 1, requests: 1 }
  ;({ gateway } = testEngine({
    limits: { ...DEFAULT_LIMITS, runsPerPrincipal: 2 },
    every: (ms, work) => {
      timers.set(work, ms)
      return () => void timers.delete(work)
    },
    wire: {
      send: ({ principal = '' }) =>
        new Promise((resolve) => {
          const answer = () => resolve({ ok: true, reply })
          sent.push({ principal, answer })
          if (isOpen) answer()
        }),
    },
  }))
})

/** Starts runs in a session of their own, until the answers. */
async function runs(who: Caller, count: number, gone = new AbortController()) {
  setMaxListeners(count, gone.signal)
  const seeds = [{ api: 'shop', entity: 'Customer' }]
  const opened = await gateway.context(who, { intent: 'runs', seeds })
  const ref = opened.ok ? opened.facts.logicalSessionRef : ''
  const input = { logical_session_ref: ref, program: 'e1[id]' }
  return Array.from({ length: count }, () => gateway.run(who, input, { signal: gone.signal }))
}

const sentBy = ({ principal }: Caller) =>
  sent.filter((call) => call.principal === JSON.stringify(principal)).length
const codes = (reply: Reply<unknown>) => (reply.ok ? 'ok' : reply.problems.map(({ code }) => code).join())

test('programs beyond the limit wait, and those of others do not', async () => {
  const own = await runs(alice, 3)
  const others = await runs(bob, 1)
  await vi.waitUntil(() => sentBy(bob) === 1)
  expect(sentBy(alice)).toBe(2)
  sent[0]?.answer()
  await vi.waitUntil(() => sentBy(alice) === 3)
  for (const { answer } of sent) answer()
  expect((await Promise.all([...own, ...others])).map(codes)).toEqual(['ok', 'ok', 'ok', 'ok'])
  expect(timers.size).toBe(0)
})

test('all anonymous callers run as one principal', async () => {
  const own = await runs(caller({ from: 'anonymous', name: 'n1' }), 2)
  const others = await runs(caller({ from: 'anonymous', name: 'n2' }), 1)
  const last = await runs(bob, 1)
  await vi.waitUntil(() => sentBy(bob) === 1)
  expect(sent.length).toBe(3)
  for (const { answer } of sent) answer()
  await vi.waitUntil(() => sent.length === 4)
  sent[3]?.answer()
  expect((await Promise.all([...own, ...others, ...last])).map(codes)).toEqual(['ok', 'ok', 'ok', 'ok'])
})

test('a run more than a hundred that wait is refused', async () => {
  const own = await runs(alice, 103)
  expect(codes(await Promise.race(own))).toBe('runs_full')
  const page = await gateway.page(alice, 's0_pg1', { signal: new AbortController().signal })
  expect(codes(page)).toBe('runs_full')
  isOpen = true
  for (const { answer } of sent) answer()
  expect((await Promise.all(own)).map(codes).filter((code) => code === 'ok').length).toBe(102)
  expect(sent.length).toBe(102)
})

test('a run that waits as long as a run may take is refused', async () => {
  const [first, second, third] = await runs(alice, 3)
  await vi.waitUntil(() => timers.size === 1 && sent.length === 2)
  expect([...timers.values()]).toEqual([120_000])
  for (const giveUp of timers.keys()) await giveUp()
  expect(third && codes(await third)).toBe('run_waited')
  for (const { answer } of sent) answer()
  expect([first && codes(await first), second && codes(await second)]).toEqual(['ok', 'ok'])
  expect(sent.length).toBe(2)
})

test('a run whose caller goes is not begun', async () => {
  const gone = new AbortController()
  const own = await runs(alice, 2)
  const [third] = await runs(alice, 1, gone)
  await vi.waitUntil(() => sent.length === 2)
  gone.abort()
  expect(third && codes(await third)).toBe('cancelled')
  for (const { answer } of sent) answer()
  await Promise.all(own)
  expect([sent.length, timers.size]).toEqual([2, 0])
})
