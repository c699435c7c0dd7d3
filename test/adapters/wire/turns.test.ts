import { afterEach, describe, expect, test } from 'vitest'
import { Deadline } from '../../../src/adapters/wire/deadline.ts'
import { Turns } from '../../../src/adapters/wire/turns.ts'
import type { Rate } from '../../../src/base/token-bucket.ts'

const deadlines: Deadline[] = []
afterEach(() => {
  for (const deadline of deadlines.splice(0)) deadline.dispose()
})

function made(places: number, rate?: Rate) {
  const turns = new Turns(places, { now: () => performance.now() }, rate)
  const got: string[] = []
  const ask = (principal: string, timeoutMs = 5000) => {
    const deadline = new Deadline(undefined, timeoutMs)
    deadlines.push(deadline)
    return turns.take(principal, deadline).then((none) => {
      got.push(none ? `${principal} ${none.kind}` : principal)
    })
  }
  return { turns, got, ask }
}

/** Lets every promise that is ready go on. */
const settled = () => new Promise((resolve) => setImmediate(resolve))

describe('the places of an origin', () => {
  test('leave as many free as a principal holds', async () => {
    const { got, ask } = made(8)
    for (const principal of ['a', 'b', 'c', 'd']) for (let count = 0; count < 8; count++) void ask(principal)
    await settled()
    expect(got.toSorted()).toEqual(['a', 'a', 'a', 'a', 'b', 'b', 'c', 'd'])
  })

  test('go from one principal to the next', async () => {
    const { turns, got, ask } = made(2)
    void ask('a')
    for (const principal of ['a', 'a', 'a', 'b', 'b', 'c']) void ask(principal)
    await settled()
    expect(got).toEqual(['a', 'b'])
    for (let count = 0; count < 5; count++) {
      turns.leave(got[count] ?? '')
      await settled()
    }
    expect(got).toEqual(['a', 'b', 'a', 'b', 'c', 'a'])
  })

  test('are free again after calls that gave up', async () => {
    const { turns, got, ask } = made(2)
    await ask('a')
    await ask('a', 20)
    expect(got).toEqual(['a', 'a busy'])
    turns.leave('a')
    await ask('a')
    expect(got).toEqual(['a', 'a busy', 'a'])
  })
})

describe('the rate of an origin', () => {
  test('is shared by principals, whatever number of calls each has', async () => {
    const { got, ask } = made(64, { perSecond: 50, burst: 1 })
    const calls = ['a', 'a', 'a', 'a', 'b'].map((principal) => ask(principal))
    await Promise.all(calls)
    expect(got).toEqual(['a', 'a', 'b', 'a', 'a'])
  })

  test('is not waited for beyond the deadline', async () => {
    const { got, ask } = made(64, { perSecond: 1, burst: 1 })
    await Promise.all([ask('a'), ask('a', 100)])
    expect(got).toEqual(['a', 'a throttled'])
  })
})
