import { describe, expect, test } from 'vitest'
import { HandClock } from '../../contracts/store-fixtures.ts'
import { api, call, json, limits, serve, wire } from './fixtures.ts'

/* Several principals call one API with the same credentials; one of them has bad luck, or is not kind. */

const ALICE = { principal: 'alice' }
const BOB = { principal: 'bob' }
const WRITE = { method: 'POST', repeatable: false } as const
const START = Date.parse('2027-01-01T00:00:00Z')

describe('what one principal meets', () => {
  test('failures of single rows pause the API for that principal alone', async () => {
    const server = await serve((request, response) =>
      json(response, {}, request.url.startsWith('/broken') ? 500 : 200),
    )
    const sender = wire({ clock: new HandClock(START) })
    for (let row = 0; row < 10; row++)
      await sender.send(call(api(server.origin), { ...ALICE, target: { path: `/broken/${row}` } }), limits())
    const paused = { ok: false, failure: { problem: { code: 'origin_resting' } } }
    expect(await sender.send(call(api(server.origin), ALICE), limits())).toMatchObject(paused)
    expect(await sender.send(call(api(server.origin), BOB), limits())).toMatchObject({ ok: true })
    expect(await sender.send(call(api(server.origin)), limits())).toMatchObject({ ok: true })
  })

  test('an API that cannot be reached pauses for all', async () => {
    const sender = wire({ clock: new HandClock(START), lookup: () => Promise.reject(new Error('no')) })
    const gone = api('https://gone.example')
    for (let count = 0; count < 10; count++) await sender.send(call(gone, { ...ALICE, ...WRITE }), limits())
    expect(await sender.send(call(gone, BOB), limits())).toMatchObject({
      ok: false,
      failure: { problem: { code: 'origin_resting' } },
    })
  })

  test('Retry-After holds for the principal who got it, and no longer than the limit', async () => {
    const clock = new HandClock(START)
    const server = await serve((_, response, count) =>
      json(response, {}, count === 1 ? 429 : 200, { 'retry-after': '86400' }),
    )
    const sender = wire({ clock, mostWaitMs: 30_000 })
    await sender.send(call(api(server.origin), { ...ALICE, ...WRITE }), limits())
    expect(await sender.send(call(api(server.origin), ALICE), limits())).toMatchObject({
      ok: false,
      failure: {
        problem: { code: 'throttled', message: expect.stringContaining('2027-01-01T00:00:30.000Z') },
      },
    })
    expect(await sender.send(call(api(server.origin), BOB), limits())).toMatchObject({ ok: true })
    clock.advance(30_000)
    expect(await sender.send(call(api(server.origin), ALICE), limits())).toMatchObject({ ok: true })
  })

  test('reads that hang leave sockets for the others', async () => {
    const server = await serve((request, response) => {
      if (!request.url.startsWith('/hang')) json(response, {})
    })
    const sender = wire({ connections: 8 })
    const ends = new AbortController()
    const hanging = Array.from({ length: 20 }, (_, row) =>
      sender.send(
        call(api(server.origin), { ...ALICE, target: { path: `/hang/${row}` } }),
        limits({ signal: ends.signal }),
      ),
    )
    await expect.poll(() => server.seen.length).toBe(4)
    const began = performance.now()
    expect(await sender.send(call(api(server.origin), BOB), limits())).toMatchObject({ ok: true })
    expect(performance.now() - began).toBeLessThan(1000)
    expect(server.seen).toHaveLength(5)
    ends.abort()
    await Promise.all(hanging)
  })

  test('a call without a place in time was not sent', async () => {
    const server = await serve(() => {})
    const sender = wire({ connections: 2 })
    const first = sender.send(call(api(server.origin), { ...ALICE, ...WRITE }), limits({ timeoutMs: 300 }))
    expect(
      await sender.send(call(api(server.origin), { ...ALICE, ...WRITE }), limits({ timeoutMs: 100 })),
    ).toEqual({
      ok: false,
      failure: {
        problem: {
          code: 'origin_busy',
          message: `Nothing was sent: the share of this caller in the connections to ${server.origin} was in use until its time was up.`,
          next: 'Repeat the call later, or make fewer calls at once.',
        },
        sent: 'no',
        requests: 0,
      },
    })
    await first
  })
})

describe('a clock that steps', () => {
  test('does not lengthen a pause', async () => {
    const [clock, steady] = [new HandClock(START), new HandClock(0)]
    let status = 500
    const server = await serve((_, response) => json(response, {}, status, { 'retry-after': '20' }))
    const sender = wire({ clock, steady })
    const send = (principal: string) =>
      sender.send(call(api(server.origin), { principal, ...WRITE }), limits())
    for (let count = 0; count < 10; count++) await send('alice')
    status = 429
    await send('bob')
    // An hour back, as a clock that is set right may go.
    clock.advance(-3_600_000)
    expect(await send('alice')).toMatchObject({
      failure: {
        problem: { message: expect.stringContaining('the next attempt is at 2026-12-31T23:00:05.000Z') },
      },
    })
    status = 200
    steady.advance(5000)
    expect(await send('alice')).toMatchObject({ ok: true })
    steady.advance(15_000)
    expect(await send('bob')).toMatchObject({ ok: true })
  })
})
