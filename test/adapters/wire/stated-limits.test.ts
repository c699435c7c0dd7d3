import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { hintOf } from '../../../src/adapters/wire/rate-hints.ts'
import { StatedLimits } from '../../../src/adapters/wire/stated-limits.ts'
import { HandClock } from '../../contracts/store-fixtures.ts'

const HOUR = 3_600_000

function made(mostWaitMs = HOUR) {
  const clock = new HandClock(0)
  const limits = new StatedLimits(clock, clock, mostWaitMs)
  /** Sends a request if the API accepts one, and gives the wait otherwise. */
  const take = () => {
    const waitMs = limits.waitMs()
    if (waitMs === 0) limits.sent()
    return waitMs
  }
  return { clock, limit: { take, over: limits.over.bind(limits) } }
}

function answered(headers: Record<string, string>, status = 200) {
  return { status, headers }
}

describe('what an API says', () => {
  test('429 with Retry-After closes it until then', () => {
    const { clock, limit } = made()
    limit.take()
    limit.over(answered({ 'retry-after': '7' }, 429))
    expect(limit.take()).toBe(7000)
    clock.advance(7000)
    expect(limit.take()).toBe(0)
  })

  test('Retry-After closes it for no longer than the limit', () => {
    const { limit } = made(5000)
    limit.take()
    limit.over(answered({ 'retry-after': '86400' }, 429))
    expect(limit.take()).toBe(5000)
    limit.over(answered({ 'ratelimit-remaining': '0', 'ratelimit-reset': '86400' }))
    expect(limit.take()).toBe(5000)
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
    ['an hour at most', { 'ratelimit-remaining': '0', 'ratelimit-reset': '999999' }, 0, HOUR],
  ])('are read: %s', (_, headers, left, waitMs) => {
    expect(hintOf(answered(headers), now, HOUR)).toEqual({ window: { left, forMs: waitMs } })
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
    expect(hintOf(answered(headers), now, HOUR)).toEqual({})
  })

  test.each([
    ['7', 7000],
    ['Fri, 01 Jan 2027 00:00:09 GMT', 9000],
    ['99999999', HOUR],
  ])('429 asks to wait: %s', (retryAfter, waitMs) => {
    expect(hintOf(answered({ 'retry-after': retryAfter }, 429), now, HOUR)).toEqual({ closedMs: waitMs })
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
        const { closedMs = 0, window = { left: 0, forMs: 0 } } = hintOf(answered(headers, 429), now, HOUR)
        expect(closedMs).toBeGreaterThanOrEqual(0)
        expect(closedMs).toBeLessThanOrEqual(HOUR)
        expect(window.forMs).toBeGreaterThanOrEqual(0)
        expect(window.forMs).toBeLessThanOrEqual(HOUR)
        expect(window.left).toBeGreaterThanOrEqual(0)
      }),
      { numRuns: 1000 },
    )
  })
})
