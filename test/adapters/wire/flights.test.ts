import { setImmediate } from 'node:timers/promises'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Flights } from '../../../src/adapters/wire/flights.ts'
import { wireProblem } from '../../../src/adapters/wire/problems.ts'
import type { Wire, WireCall } from '../../../src/execution/wire.ts'
import { api, call, json, limits, serve, wire } from './fixtures.ts'

type Sent = Awaited<ReturnType<Wire['send']>>

/** An API that keeps its answers back until it is told to give them. */
async function held() {
  const answers: (() => void)[] = []
  const server = await serve((_, response, count) => answers.push(() => json(response, { count })))
  const catalog = api(server.origin)
  return {
    server,
    catalog,
    ann: (changes: Partial<WireCall> = {}) => call(catalog, { principal: 'ann', ...changes }),
    asked: async (times: number) => {
      await expect.poll(() => answers.length).toBe(times)
    },
    answer: () => answers.splice(0).forEach((give) => give()),
  }
}

const counted = (count: number) => ({
  ok: true,
  reply: expect.objectContaining({ status: 200, body: { count }, requests: 1 }),
})

describe('equal reads of one principal', () => {
  test('under way together are one request', async () => {
    const { server, ann, asked, answer } = await held()
    const sender = wire()
    const sent = Array.from({ length: 5 }, () => sender.send(ann(), limits()))
    await asked(1)
    answer()
    expect(await Promise.all(sent)).toEqual(Array(5).fill(counted(1)))
    expect(server.seen).toHaveLength(1)
  })

  test('one after the other are two requests', async () => {
    const server = await serve((_, response, count) => json(response, { count }))
    const sender = wire()
    const read = call(api(server.origin), { principal: 'ann' })
    expect([await sender.send(read, limits()), await sender.send(read, limits())]).toEqual([
      counted(1),
      counted(2),
    ])
  })

  test('are one request for one run only where other processes change things', async () => {
    const { server, ann, asked, answer } = await held()
    const sender = wire({ isShared: true })
    const [run, later] = [limits(), limits()]
    const sent = [run, run, later].map((own) => sender.send(ann(), own))
    await asked(2)
    answer()
    expect(await Promise.all(sent)).toEqual([counted(1), counted(1), counted(2)])
    expect(server.seen).toHaveLength(2)
  })

  test('share a failure too', async () => {
    const server = await serve((_, response) => json(response, { oops: true }, 404))
    const sender = wire()
    const read = call(api(server.origin), { principal: 'ann' })
    const [one, two] = await Promise.all([sender.send(read, limits()), sender.send(read, limits())])
    expect(one).toMatchObject({ ok: true, reply: { status: 404, body: { oops: true } } })
    expect(two).toEqual(one)
    expect(server.seen).toHaveLength(1)
  })

  test.each<[string, Partial<WireCall>]>([
    ['another principal', { principal: 'bob' }],
    ['a method', { method: 'POST' }],
    ['a path', { target: { path: '/others' } }],
    ['a query', { query: [['q', '1']] }],
    ['a header', { headers: [['x-view', 'full']] }],
    ['a body', { body: { format: 'json', value: {} } }],
    ['a write', { repeatable: false }],
  ])('are told apart by %s', async (_, changes) => {
    const { ann, asked, answer } = await held()
    const sender = wire()
    const sent = [ann(), ann(changes)].map((one) => sender.send(one, limits()))
    await asked(2)
    answer()
    expect(await Promise.all(sent)).toEqual(expect.arrayContaining([counted(1), counted(2)]))
  })

  test('are told apart by how their answers are read and their bodies are written', async () => {
    const { ann, asked, answer } = await held()
    const sender = wire()
    const body = { format: 'json', value: {} } as const
    const calls = [
      ann({ body }),
      ann({ body, answer: 'text' }),
      ann({ body: { ...body, contentType: 'application/merge-patch+json' } }),
      ann({ body: { ...body, fileParts: ['file'] } }),
    ]
    const sent = calls.map((one) => sender.send(one, limits()))
    await asked(4)
    answer()
    expect((await Promise.all(sent)).every(({ ok }) => ok)).toBe(true)
  })

  test('are told apart by catalog, name or not', async () => {
    const { server, ann, asked, answer } = await held()
    const sender = wire()
    const sent = [ann(), ann({ catalog: api(server.origin) })].map((one) => sender.send(one, limits()))
    await asked(2)
    answer()
    expect(await Promise.all(sent)).toEqual(expect.arrayContaining([counted(1), counted(2)]))
  })

  test('without a principal share nothing', async () => {
    const { catalog, asked, answer } = await held()
    const sender = wire()
    const sent = [1, 2].map(() => sender.send(call(catalog), limits()))
    await asked(2)
    answer()
    expect(await Promise.all(sent)).toEqual(expect.arrayContaining([counted(1), counted(2)]))
  })

  test('after a write see that write', async () => {
    const { ann, asked, answer } = await held()
    const sender = wire()
    const before = sender.send(ann(), limits())
    await asked(1)
    const gone = new AbortController()
    const write = sender.send(ann({ method: 'POST', repeatable: false }), limits({ signal: gone.signal }))
    await asked(2)
    const during = sender.send(ann(), limits())
    gone.abort()
    await write
    const after = sender.send(ann(), limits())
    await asked(3)
    answer()
    expect(await Promise.all([before, during, after])).toEqual([counted(1), counted(1), counted(3)])
  })
})

describe('a caller of a shared read', () => {
  const cancelled = { ok: false, failure: { problem: { code: 'call_cancelled' }, sent: 'unknown' } }

  test.each([0, 1])('who gives up (%i) leaves the other alone', async (who) => {
    const { server, ann, asked, answer } = await held()
    const sender = wire()
    const callers = [new AbortController(), new AbortController()]
    const sent = callers.map(({ signal }) => sender.send(ann(), limits({ signal })))
    await asked(1)
    callers[who]?.abort()
    expect(await sent[who]).toMatchObject(cancelled)
    answer()
    expect(await sent[1 - who]).toEqual(counted(1))
    expect(server.seen).toHaveLength(1)
  })

  test('who is the last to give up ends it', async () => {
    let closed = false
    const server = await serve((_, response) => response.on('close', () => (closed = true)))
    const sender = wire()
    const read = call(api(server.origin), { principal: 'ann' })
    const callers = [new AbortController(), new AbortController()]
    const sent = callers.map(({ signal }) => sender.send(read, limits({ signal })))
    await expect.poll(() => server.seen.length).toBe(1)
    callers.forEach((caller) => caller.abort())
    expect(await Promise.all(sent)).toMatchObject([cancelled, cancelled])
    await expect.poll(() => closed).toBe(true)
  })

  test('who comes while that ends is served afresh', async () => {
    const flights = new Flights()
    const catalog = api('https://shop.example')
    const endings: ((sent: Sent) => void)[] = []
    const send = (signal: AbortSignal) =>
      flights.send(
        call(catalog, { principal: 'ann' }),
        limits({ signal }),
        catalog.origin,
        () => new Promise<Sent>((resolve) => endings.push(resolve)),
      )
    const caller = new AbortController()
    const first = send(caller.signal)
    caller.abort()
    await setImmediate()
    const second = send(new AbortController().signal)
    expect(endings).toHaveLength(2)
    const reply = { status: 200, headers: {}, body: 2, bytes: 1, requests: 1 }
    endings[1]?.({ ok: true, reply })
    expect(await second).toEqual({ ok: true, reply })
    const problem = wireProblem('connection_lost', { origin: catalog.origin, detail: 'ECONNRESET' })
    endings[0]?.({ ok: false, failure: { problem, sent: 'unknown', requests: 1 } })
    expect(await first).toMatchObject(cancelled)
  })

  test('keeps a deadline of its own, shorter or longer', async () => {
    const { ann, asked, answer } = await held()
    const sender = wire()
    const sent = [100, 60, 5000].map((timeoutMs) => sender.send(ann(), limits({ timeoutMs })))
    await asked(1)
    expect(await Promise.all(sent.slice(0, 2))).toMatchObject(
      [100, 60].map((timeoutMs) => ({
        ok: false,
        failure: { problem: { code: 'timed_out', message: expect.stringContaining(`${timeoutMs} ms`) } },
      })),
    )
    answer()
    expect(await sent[2]).toEqual(counted(1))
  })

  test('alone times out, and is not cancelled', async () => {
    const { server, ann } = await held()
    expect(await wire().send(ann(), limits({ timeoutMs: 300 }))).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'timed_out',
          message: `No complete answer came from ${server.origin} within 300 ms.`,
          next: 'Request less at once, or repeat the call later.',
        },
        sent: 'unknown',
        requests: 1,
      },
    })
  })
})

test('law: one request for each principal and read', async () => {
  const { server, catalog, answer } = await held()
  const sender = wire()
  const reads = fc.record({
    principal: fc.constantFrom('ann', 'bob', 'eve'),
    path: fc.constantFrom('/a', '/b'),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(reads, { minLength: 1, maxLength: 20, size: 'max' }), async (wanted) => {
      const before = server.seen.length
      const keys = wanted.map(({ principal, path }) => `${principal} ${path}`)
      const sent = wanted.map(({ principal, path }) =>
        sender.send(call(catalog, { principal, target: { path } }), limits()),
      )
      const distinct = new Set(keys)
      await expect.poll(() => server.seen.length - before, { interval: 1 }).toBe(distinct.size)
      answer()
      const answers = await Promise.all(sent)
      expect(server.seen.length - before).toBe(distinct.size)
      const counts = new Map<string, Set<unknown>>()
      answers.forEach((got, index) => {
        const key = keys[index] ?? ''
        counts.set(
          key,
          (counts.get(key) ?? new Set()).add(got.ok ? JSON.stringify(got.reply.body) : got.failure),
        )
      })
      expect([...counts.values()].map(({ size }) => size)).toEqual([...distinct].map(() => 1))
      expect(new Set([...counts.values()].flatMap((set) => [...set])).size).toBe(distinct.size)
    }),
    { numRuns: 30 },
  )
})
