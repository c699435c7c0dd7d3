import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Rate, tokensIn, waitFor, without } from '../../src/base/token-bucket.ts'
import { HandClock } from '../contracts/store-fixtures.ts'

function made(rate: Rate) {
  const clock = new HandClock(0)
  let fullAt = 0
  /** Takes a token if there is one, and gives the wait otherwise. */
  const take = (tokens = 1) => {
    const waitMs = Math.ceil(waitFor(tokens, rate, fullAt, clock.now()))
    if (waitMs === 0) fullAt = without(tokens, rate, fullAt, clock.now())
    return waitMs
  }
  return { clock, limit: { take }, left: () => tokensIn(rate, fullAt, clock.now()) }
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

  test('gives several at once, and says what is left', () => {
    const { limit, left } = made({ perSecond: 4, burst: 5 })
    expect([limit.take(3), left(), limit.take(3), limit.take(2), left()]).toEqual([0, 2, 250, 0, 0])
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
