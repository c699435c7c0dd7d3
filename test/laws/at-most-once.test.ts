import fc from 'fast-check'
import { expect, test } from 'vitest'
import { pin } from '../../src/catalog/digest.ts'
import { execute } from '../../src/execution/executor.ts'
import type { Wire, WireCall } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { worldOf } from '../execution/plans.ts'
import { cases } from '../law-cases.ts'

/*
 * Whatever an API answers to writes, each is recorded once and sent once. One that carries a key by which the API recognises a
 * repetition is sent a second time, with the same key, after an unknown outcome and not otherwise.
 */

const shop = fixtureCatalog('shop')
const keyed = {
  ...shop,
  capabilities: shop.capabilities.map((one) => ({ ...one, idempotencyHeader: 'x-key' })),
}
const [plain, withKey] = [pin(shop), pin(keyed)]

/** What comes of one request: a status, or a failure after which the API may have acted. */
const anyOutcome = fc.constantFrom(200, 204, 302, 400, 404, 409, 429, 500, 502, 503, 'lost', 'unreachable')
type Outcome = number | string

const isUnknown = (outcome: Outcome | undefined) =>
  outcome === 'lost' || (typeof outcome === 'number' && (outcome >= 500 || outcome === 302))

/** An API that answers so to one write after the other. */
function api(outcomes: readonly Outcome[]) {
  const writes: { readonly path: string; readonly key: string | undefined; readonly outcome: Outcome }[] = []
  const customers = Array.from({ length: 5 }, (_, at) => ({ id: `c${at + 1}`, name: 'x' }))
  const answer = (call: WireCall, outcome: Outcome): Awaited<ReturnType<Wire['send']>> => {
    writes.push({
      path: 'path' in call.target ? call.target.path : call.target.url,
      key: call.headers.find(([name]) => name === 'x-key')?.[1],
      outcome,
    })
    expect(call.repeatable).toBe(false)
    if (typeof outcome === 'number')
      return { ok: true, reply: { status: outcome, headers: {}, body: null, bytes: 0, requests: 1 } }
    const problem = { code: 'connection_lost', message: 'It was lost.', next: 'Look.' }
    const sent = outcome === 'lost' ? 'unknown' : 'no'
    return { ok: false, failure: { problem, sent, requests: 1 } }
  }
  const wire: Wire = {
    send: async (call) =>
      call.method === 'GET'
        ? { ok: true, reply: { status: 200, headers: {}, body: { customers }, bytes: 9, requests: 1 } }
        : answer(call, outcomes[writes.length] ?? 204),
  }
  return { wire, writes }
}

async function run(pinned: typeof plain, outcomes: readonly Outcome[]) {
  const picks = [{ catalog: 'shop', digest: pinned.digest, lens: 'all', entities: ['Customer'] }] as const
  const space = symbolSpace([{ revision: 1, generation: 1, picks }], () => pinned.catalog)
  const scope = { space, model: () => pinned.catalog, allows: () => true, ref: 's0' }
  const read = readProgram('rows = Customer.limit(5)\nrows => _.delete()', scope)
  if (!read.ok) throw new Error(read.problems[0]?.message)
  const { wire, writes } = api(outcomes)
  const world = worldOf(pinned, { wire, runId: 'run', continueOnRefusal: () => true })
  const { effects } = await execute(read.plan, world)
  return { writes, effects, lines: world.lines }
}

test('a write is sent once, and twice only with its key', { timeout: 900_000 }, async () => {
  let repeated = 0
  const given = fc.record({
    pinned: fc.constantFrom(plain, withKey),
    outcomes: fc.array(anyOutcome, { minLength: 10, maxLength: 10 }),
  })
  await fc.assert(
    fc.asyncProperty(given, async ({ pinned, outcomes }) => {
      const { writes, effects, lines } = await run(pinned, outcomes)
      const claims = lines.filter((line) => line.startsWith('claim'))
      expect(new Set(claims).size).toBe(claims.length)
      const paths = new Set(writes.map(({ path }) => path))
      const byPath = new Map([...paths].map((path) => [path, writes.filter((one) => one.path === path)]))
      expect(byPath.size).toBe(claims.length)
      for (const [row, sent] of [...byPath.values()].entries()) {
        const [first, second] = sent
        const mayRepeat = pinned === withKey && isUnknown(first?.outcome)
        expect(sent.length).toBe(mayRepeat ? 2 : 1)
        if (second) repeated++
        if (second) expect([second.key, first?.key === undefined]).toEqual([first?.key, false])
        const told = effects.find((effect) => effect.row === row)?.state
        const isDone = sent.some(({ outcome }) => outcome === 200 || outcome === 204)
        if (told === 'done') expect(isDone).toBe(true)
        if (isDone) expect(told).toBe('done')
        if (isUnknown(first?.outcome) && !isDone) expect(told).toBe('unknown')
      }
      const keys = [...byPath.values()].flatMap(([first]) => first?.key ?? [])
      expect(new Set(keys).size).toBe(keys.length)
    }),
    { numRuns: cases(100_000) },
  )
  expect(repeated).toBeGreaterThan(0)
})
