import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hintOf } from '../../../src/adapters/wire/rate-hints.ts'
import { RateLimit } from '../../../src/adapters/wire/rate.ts'
import type { Rate } from '../../../src/base/token-bucket.ts'
import { HandClock } from '../../contracts/store-fixtures.ts'

function made(rate?: Rate) {
  const clock = new HandClock(0)
  return { clock, limit: new RateLimit(clock, rate) }
}

function answered(headers: Record<string, string>, status = 200) {
  return { status, headers }
}

describe('a rate', () => {
  test('lets a burst through, then one by one', () => {
    const { clock, limit } = made({ perSecond: 4, burst: 2 })
    expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 250])
    clock.advance(249)
    expect(limit.take()).toBe(1)
    clock.advance(1)
    expect([limit.take(), limit.take()]).toEqual([0, 250])
  })

  test('saves up no more than a burst', () => {
    const { clock, limit } = made({ perSecond: 4, burst: 2 })
    clock.advance(1_000_000)
    expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 250])
  })

  test('holds nothing back where there is none', () => {
    const { limit } = made()
    expect(Array.from({ length: 1000 }, () => limit.take())).toEqual(Array(1000).fill(0))
  })
})

describe('what an API says', () => {
  test('429 with Retry-After closes it until then', () => {
    const { clock, limit } = made()
    limit.take()
    limit.over(answered({ 'retry-after': '7' }, 429))
    expect(limit.take()).toBe(7000)
    clock.advance(7000)
    expect(limit.take()).toBe(0)
  })

  test('an earlier date does not open it', () => {
    const { limit } = made()
    limit.take()
    limit.take()
    limit.over(answered({ 'retry-after': '7' }, 429))
    limit.over(answered({ 'retry-after': '1' }, 429))
    expect(limit.take()).toBe(7000)
  })

  test('what remains is used, then waited for', () => {
    const { clock, limit } = made()
    limit.take()
    limit.over(answered({ 'ratelimit-remaining': '2', 'ratelimit-reset': '30' }))
    expect([limit.take(), limit.take(), limit.take()]).toEqual([0, 0, 30_000])
    clock.advance(30_000)
    expect(limit.take()).toBe(0)
  })

  test('what is under way may not be counted yet', () => {
    const { limit } = made()
    limit.take()
    limit.take()
    limit.over(answered({ 'ratelimit-remaining': '2', 'ratelimit-reset': '30' }))
    expect([limit.take(), limit.take()]).toEqual([0, 30_000])
  })

  test('a call without an answer changes nothing', () => {
    const { limit } = made()
    limit.take()
    limit.over()
    expect(limit.take()).toBe(0)
  })
})

describe('the headers of limits', () => {
  const now = Date.parse('2027-01-01T00:00:00Z')
  const hour = 3_600_000

  test.each<[string, Record<string, string>, number, number]>([
    [
      'drafts 0 to 6',
      { 'ratelimit-limit': '9', 'ratelimit-remaining': '5', 'ratelimit-reset': '30' },
      5,
      30_000,
    ],
    ['draft 7', { ratelimit: 'limit=9, remaining=5, reset=30' }, 5, 30_000],
    ['drafts 8 on', { ratelimit: '"default";r=5;t=30' }, 5, 30_000],
    ['two windows: the nearer end', { ratelimit: '"day";r=50;t=900, "minute";r=5;t=30' }, 5, 30_000],
    ['two used up: the longer', { ratelimit: '"day";r=0;t=900, "minute";r=0;t=30' }, 0, 900_000],
    [
      'the time of day',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now / 1000 + 60}` },
      0,
      60_000,
    ],
    ['in milliseconds', { 'x-rate-limit-remaining': '0', 'x-rate-limit-reset': `${now + 60}` }, 0, 60],
    [
      'a time that is over',
      { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': `${now / 1000 - 60}` },
      0,
      0,
    ],
    ['an hour at most', { 'ratelimit-remaining': '0', 'ratelimit-reset': '999999' }, 0, hour],
  ])('are read: %s', (_, headers, left, waitMs) => {
    expect(hintOf(answered(headers), now)).toEqual({ window: { left, until: now + waitMs } })
  })

  test.each<[string, Record<string, string>]>([
    ['nothing', {}],
    ['no end', { 'ratelimit-remaining': '0' }],
    ['no count', { 'ratelimit-reset': '30' }],
    ['no numbers', { 'ratelimit-remaining': 'none', 'ratelimit-reset': '-1' }],
    ['text', { ratelimit: 'r;t=;r=x;;,,"' }],
    [
      'a limit of some paths',
      { 'x-ratelimit-resource': 'search', 'x-ratelimit-remaining': '0', 'x-ratelimit-reset': '30' },
    ],
    ['Retry-After without 429', { 'retry-after': '30' }],
  ])('say nothing: %s', (_, headers) => {
    expect(hintOf(answered(headers), now)).toEqual({})
  })

  test.each([
    ['7', 7000],
    ['Fri, 01 Jan 2027 00:00:09 GMT', 9000],
    ['99999999', hour],
  ])('429 asks to wait: %s', (retryAfter, waitMs) => {
    expect(hintOf(answered({ 'retry-after': retryAfter }, 429), now)).toEqual({ closedUntil: now + waitMs })
  })

  test('law: whatever they hold, the wait is bounded', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^("\w*";)?[rt=;,0-9 a-z-]{0,40}$/),
      fc.nat().map(String),
    )
    const names = [
      'retry-after',
      'ratelimit',
      'ratelimit-remaining',
      'ratelimit-reset',
      'x-ratelimit-remaining',
    ]
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names, 'x-ratelimit-reset'), text), (headers) => {
        const { closedUntil = now, window = { left: 0, until: now } } = hintOf(answered(headers, 429), now)
        expect(closedUntil).toBeGreaterThanOrEqual(now)
        expect(closedUntil).toBeLessThanOrEqual(now + hour)
        expect(window.until).toBeGreaterThanOrEqual(now)
        expect(window.until).toBeLessThanOrEqual(now + hour)
        expect(window.left).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 1000 },
    )
  })
})

test('law: never more than the bucket holds', () => {
  const rates = fc.record({
    perSecond: fc.integer({ min: 1, max: 50 }),
    burst: fc.integer({ min: 1, max: 10 }),
  })
  fc.assert(
    fc.property(rates, fc.array(fc.nat(400), { maxLength: 60, size: 'max' }), (rate, pauses) => {
      const { clock, limit } = made(rate)
      const sentAt: number[] = []
      for (const pause of pauses) {
        clock.advance(pause)
        // An eager caller: it asks until it is told to wait.
        while (limit.take() === 0) sentAt.push(clock.now())
      }
      const excesses = sentAt.flatMap((from, first) =>
        sentAt.slice(first).map((until, more) => {
          const most = rate.burst + ((until - from) / 1000) * rate.perSecond
          return more + 1 - most
        }),
      )
      expect(Math.max(0, ...excesses)).toBeLessThanOrEqual(1e-6)
    }),
    { numRuns: 200 },
  )
})

test('law: a caller who waits as asked is let through', () => {
  const rates = fc.record({
    perSecond: fc.double({ min: 0.1, max: 1000, noNaN: true }),
    burst: fc.integer({ min: 1, max: 5 }),
  })
  fc.assert(
    fc.property(rates, fc.integer({ min: 1, max: 50 }), (rate, calls) => {
      const { clock, limit } = made(rate)
      for (let call = 0; call < calls; call++) {
        const waitMs = limit.take()
        if (waitMs === 0) continue
        clock.advance(waitMs)
        expect(limit.take()).toBe(0)
      }
    }),
  )
})
