import { describe, expect, test } from 'vitest'
import type { Attempt } from '../../../src/adapters/wire/exchange.ts'
import { healthOf } from '../../../src/adapters/wire/origin.ts'
import { wireProblem } from '../../../src/adapters/wire/problems.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { HandClock } from '../../contracts/store-fixtures.ts'
import { api, call, json, limits, serve, serveRaw, wire } from './fixtures.ts'

const WRITE = { method: 'POST', repeatable: false } as const
const START = Date.parse('2027-01-01T00:00:00Z')

/** Sends so many writes, each one request, one after the other. */
async function writes(sender: Wire, origin: string, times: number): Promise<void> {
  for (let count = 0; count < times; count++) await sender.send(call(api(origin), WRITE), limits())
}

describe('an API that keeps failing', () => {
  test('is left alone, and tried again later', async () => {
    const clock = new HandClock(START)
    let status = 500
    const server = await serve((_, response) => json(response, {}, status))
    const sender = wire({ clock })
    await writes(sender, server.origin, 12)
    expect(server.seen).toHaveLength(10)
    expect(await sender.send(call(api(server.origin)), limits())).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'origin_resting',
          message:
            `Nothing was sent: ${server.origin} failed repeatedly and has been paused since ` +
            '2027-01-01T00:00:00.000Z; the next attempt is at 2027-01-01T00:00:05.000Z.',
          next: 'Repeat the call after that time.',
        },
        sent: 'no',
        requests: 0,
      },
    })
    clock.advance(5000)
    status = 200
    expect(await sender.send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 200, requests: 1 },
    })
    await writes(sender, server.origin, 2)
    expect(server.seen).toHaveLength(13)
  })

  test('gets one probe, whoever calls meanwhile', async () => {
    const clock = new HandClock(START)
    const held: (() => void)[] = []
    const server = await serve((_, response, count) => {
      if (count <= 10) json(response, {}, 500)
      else held.push(() => json(response, { count }))
    })
    const sender = wire({ clock })
    await writes(sender, server.origin, 10)
    clock.advance(5000)
    const probe = sender.send(call(api(server.origin)), limits())
    const others = await Promise.all(
      [1, 2, 3].map(() => sender.send(call(api(server.origin), WRITE), limits())),
    )
    const refused = {
      ok: false,
      failure: {
        sent: 'no',
        problem: {
          message:
            `Nothing was sent: ${server.origin} failed repeatedly and has been paused since ` +
            '2027-01-01T00:00:00.000Z; another call is trying it now.',
        },
      },
    }
    expect(others).toMatchObject([refused, refused, refused])
    await expect.poll(() => server.seen.length).toBe(11)
    held.forEach((answerProbe) => answerProbe())
    expect(await probe).toMatchObject({ ok: true, reply: { body: { count: 11 } } })
  })

  test('gets one request from a read that probes', async () => {
    const clock = new HandClock(START)
    const server = await serve((_, response) => json(response, {}, 503))
    const sender = wire({ clock })
    await writes(sender, server.origin, 10)
    clock.advance(5000)
    expect(await sender.send(call(api(server.origin)), limits())).toMatchObject({
      ok: true,
      reply: { status: 503, requests: 1 },
    })
    expect(server.seen).toHaveLength(11)
  })

  test('by hanging up is left alone as well', async () => {
    let connections = 0
    const server = await serveRaw((socket) => {
      connections++
      socket.once('data', () => socket.destroy())
    })
    const sender = wire()
    await writes(sender, server.origin, 12)
    expect(connections).toBe(10)
  })

  test('does not stand in for another origin', async () => {
    const broken = await serve((_, response) => json(response, {}, 500))
    const sound = await serve((_, response) => json(response, {}))
    const sender = wire()
    await writes(sender, broken.origin, 11)
    expect(await sender.send(call(api(sound.origin)), limits())).toMatchObject({ ok: true })
  })

  test('is not what refuses or is given up', async () => {
    const server = await serve((request, response) => {
      if (request.method === 'POST') json(response, {}, 404)
    })
    const sender = wire()
    await writes(sender, server.origin, 11)
    for (let count = 0; count < 11; count++) {
      await sender.send(call(api(server.origin)), limits({ timeoutMs: 5 }))
    }
    expect(await sender.send(call(api(server.origin), WRITE), limits())).toMatchObject({ ok: true })
  })
})

function reply(status: number): Attempt {
  return { kind: 'reply', status, headers: {}, body: null, bytes: 0 }
}

describe('the health of an origin', () => {
  const origin = 'https://shop.example'
  const timedOut = wireProblem('timed_out', { origin, timeoutMs: 9 })
  const lost = wireProblem('connection_lost', { origin, detail: 'ECONNRESET' })
  const cancelled = wireProblem('call_cancelled', { origin })
  const failure = { kind: 'failure', passing: false } as const

  test.each<[string, Attempt, number, string]>([
    ['200', reply(200), 1, 'good'],
    ['429', reply(429), 1, 'good'],
    ['500', reply(500), 1, 'bad'],
    ['lost', { ...failure, problem: lost, sent: 'unknown' }, 1, 'bad'],
    ['lost amid an answer', { ...failure, problem: lost, sent: 'yes', status: 200 }, 1, 'good'],
    ['lost amid an error', { ...failure, problem: lost, sent: 'yes', status: 502 }, 1, 'bad'],
    ['silent for long', { ...failure, problem: timedOut, sent: 'unknown' }, 1000, 'bad'],
    ['silent for a moment', { ...failure, problem: timedOut, sent: 'unknown' }, 999, 'neither'],
    ['cancelled', { ...failure, problem: cancelled, sent: 'unknown' }, 5000, 'neither'],
  ])('after %s', (_, attempt, tookMs, health) => {
    expect(healthOf(attempt, tookMs)).toBe(health)
  })
})

describe('an API with a limit', () => {
  test('is not asked before the stated time, nor is a write', async () => {
    const clock = new HandClock(START)
    const server = await serve((_, response, count) =>
      json(response, {}, count === 1 ? 429 : 200, { 'retry-after': '60' }),
    )
    const sender = wire({ clock })
    await sender.send(call(api(server.origin)), limits())
    const refused = await sender.send(call(api(server.origin), WRITE), limits())
    expect(refused).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'throttled',
          message: `Nothing was sent: the rate limit of ${server.origin} is exhausted until 2027-01-01T00:01:00.000Z.`,
          next: 'Repeat the call after that time, or make fewer calls.',
        },
        sent: 'no',
        requests: 0,
      },
    })
    clock.advance(60_000)
    expect(await sender.send(call(api(server.origin), WRITE), limits())).toMatchObject({ ok: true })
    expect(server.seen).toHaveLength(2)
  })

  test('is waited for where there is time', async () => {
    const at: number[] = []
    const server = await serve((_, response) => {
      at.push(performance.now())
      json(response, {}, 200, { ratelimit: '"default";r=0;t=1' })
    })
    const sender = wire()
    await writes(sender, server.origin, 2)
    expect((at[1] ?? 0) - (at[0] ?? 0)).toBeGreaterThanOrEqual(950)
  })

  test('a caller who gives up waits no longer', async () => {
    const server = await serve((_, response) => json(response, {}, 200, { ratelimit: '"default";r=0;t=3' }))
    const sender = wire()
    await writes(sender, server.origin, 1)
    const caller = new AbortController()
    const waiting = sender.send(call(api(server.origin)), limits({ signal: caller.signal }))
    caller.abort()
    expect(await waiting).toMatchObject({
      ok: false,
      failure: { problem: { code: 'call_cancelled' }, sent: 'no', requests: 0 },
    })
  })

  test('set by the operator is asked at that rate', async () => {
    const at: number[] = []
    const server = await serve((_, response) => {
      at.push(performance.now())
      json(response, {})
    })
    const sender = wire({
      rateOf: (origin) => (origin === server.origin ? { perSecond: 20, burst: 2 } : undefined),
    })
    const began = performance.now()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => sender.send(call(api(server.origin), WRITE), limits())),
    )
    expect(answers.map(({ ok }) => ok)).toEqual(Array(6).fill(true))
    // Two at once, four more at 50 ms each: never sooner, however busy the machine is.
    expect((at[5] ?? 0) - began).toBeGreaterThanOrEqual(195)
  })
})

describe('an idempotency key', () => {
  const keyed = { ...WRITE, headers: [['Idempotency-Key', 'b3c1d2']] } as const

  test('is passed through', async () => {
    const server = await serve((_, response) => json(response, {}))
    await wire().send(call(api(server.origin), keyed), limits())
    expect(server.seen.map(({ headers }) => headers['idempotency-key'])).toEqual(['b3c1d2'])
  })

  test.each([401, 429, 500, 503])('is no reason to send a write again after %i', async (status) => {
    const server = await serve((_, response) => json(response, {}, status, { 'retry-after': '0' }))
    expect(await wire().send(call(api(server.origin), keyed), limits())).toMatchObject({
      ok: true,
      reply: { status, requests: 1 },
    })
    expect(server.seen).toHaveLength(1)
  })

  test('nor where the connection broke', async () => {
    let connections = 0
    const server = await serveRaw((socket) => {
      connections++
      socket.once('data', () => socket.destroy())
    })
    expect(await wire().send(call(api(server.origin), keyed), limits())).toMatchObject({
      ok: false,
      failure: { sent: 'unknown', requests: 1 },
    })
    expect(connections).toBe(1)
  })
})
