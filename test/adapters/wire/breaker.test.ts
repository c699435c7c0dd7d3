import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { Breaker, type Health, type Pass } from '../../../src/adapters/wire/breaker.ts'
import { HandClock } from '../../contracts/store-fixtures.ts'

const LIMITS = { failures: 3, windowMs: 1000, firstRestMs: 100, mostRestMs: 300 }

function made() {
  const clock = new HandClock(0)
  const breaker = new Breaker(clock, LIMITS)
  /** Sends one request, if it may be sent. */
  const send = (health: Health): boolean => {
    const pass = breaker.enter()
    if (!('tell' in pass)) return false
    pass.tell(health)
    return true
  }
  const fail = (times: number) => Array.from({ length: times }, () => send('bad'))
  return { clock, breaker, send, fail }
}

function entered(breaker: Breaker): Pass {
  const pass = breaker.enter()
  if (!('tell' in pass)) throw new Error('refused')
  return pass
}

describe('a breaker', () => {
  test('opens after failures in a row', () => {
    const { breaker, fail } = made()
    expect(fail(4)).toEqual([true, true, true, false])
    expect(breaker.refusal()).toEqual({ since: 0, tryAt: 100 })
  })

  test('stays closed while some succeed', () => {
    const { breaker, fail, send } = made()
    fail(2)
    send('good')
    fail(2)
    expect(breaker.refusal()).toBeUndefined()
  })

  test('stays closed while failures are rare', () => {
    const { breaker, clock, send } = made()
    for (let count = 0; count < 10; count++) {
      send('bad')
      clock.advance(500)
    }
    expect(breaker.refusal()).toBeUndefined()
  })

  test('a neutral outcome changes nothing', () => {
    const { breaker, fail, send } = made()
    fail(2)
    send('neither')
    expect(breaker.refusal()).toBeUndefined()
    send('bad')
    expect(breaker.refusal()).toEqual({ since: 0, tryAt: 100 })
  })

  test('lets one probe through, and closes on success', () => {
    const { breaker, clock, fail, send } = made()
    fail(3)
    clock.advance(99)
    expect(send('good')).toBe(false)
    clock.advance(1)
    const probe = entered(breaker)
    expect(breaker.enter()).toEqual({ since: 0 })
    probe.tell('good')
    expect(breaker.refusal()).toBeUndefined()
  })

  test('rests twice as long after each failed probe', () => {
    const { breaker, clock, fail, send } = made()
    fail(3)
    const rests = [100, 200, 300, 300].map((rest) => {
      clock.advance(rest - 1)
      const early = send('bad')
      clock.advance(1)
      return [early, send('bad')]
    })
    expect(rests).toEqual(Array.from({ length: 4 }, () => [false, true]))
    expect(breaker.refusal()).toEqual({ since: 0, tryAt: 1200 })
  })

  test('a cancelled probe is repeated', () => {
    const { breaker, clock, fail } = made()
    fail(3)
    clock.advance(100)
    entered(breaker).tell('neither')
    entered(breaker).tell('good')
    expect(breaker.refusal()).toBeUndefined()
  })

  test('requests in progress at a change are ignored', () => {
    const { breaker, clock, fail } = made()
    const [early, late] = [entered(breaker), entered(breaker)]
    fail(3)
    early.tell('good')
    expect(breaker.refusal()).toEqual({ since: 0, tryAt: 100 })
    clock.advance(100)
    const probe = entered(breaker)
    late.tell('good')
    expect(breaker.enter()).toEqual({ since: 0 })
    probe.tell('bad')
    probe.tell('good')
    expect(breaker.refusal()).toEqual({ since: 0, tryAt: 300 })
  })
})

const step = fc.oneof(
  fc.record({ do: fc.constant('enter' as const) }),
  fc.record({
    do: fc.constant('tell' as const),
    which: fc.nat(20),
    health: fc.constantFrom<Health>('good', 'bad', 'bad', 'bad', 'neither'),
  }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.integer({ min: 1, max: 150 }) }),
)

test('law: once open, one probe at a time', () => {
  let probes = 0
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120, size: 'max' }), (steps) => {
      const { clock, breaker } = made()
      const underWay: { pass: Pass; isProbe: boolean }[] = []
      const wasRefused = () => breaker.refusal() !== undefined
      let isOpen = false
      for (const next of steps) {
        if (next.do === 'wait') clock.advance(next.ms)
        else if (next.do === 'enter') {
          const pass = breaker.enter()
          if ('tell' in pass) {
            underWay.push({ pass, isProbe: isOpen })
            if (isOpen) probes++
          }
        } else {
          const [told] = underWay.splice(next.which % Math.max(1, underWay.length), 1)
          told?.pass.tell(next.health)
          if (told?.isProbe && next.health === 'good') isOpen = false
        }
        if (wasRefused()) isOpen = true
        expect(underWay.filter(({ isProbe }) => isProbe).length).toBeLessThanOrEqual(1)
      }
    }),
    { numRuns: 500 },
  )
  // The law would hold of a breaker that never opens as well.
  expect(probes).toBeGreaterThan(100)
})

test('law: whatever happened, it closes again', () => {
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.constantFrom<Health>('good', 'bad', 'neither'), fc.nat(200)), {
        maxLength: 60,
        size: 'max',
      }),
      (history) => {
        const { breaker, clock, send } = made()
        for (const [health, pause] of history) {
          send(health)
          clock.advance(pause)
        }
        clock.advance(LIMITS.mostRestMs)
        expect(send('good')).toBe(true)
        expect(breaker.refusal()).toBeUndefined()
      },
    ),
  )
})
