import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Pace } from '../../../src/base/slices/pace.ts'

/** Its clock goes on by so many milliseconds at each look. */
function paced(stepMs: number) {
  let [now, pauses] = [0, 0]
  const pace = new Pace({ now: () => (now += stepMs) }, async () => void pauses++)
  return { pace, pauses: () => pauses }
}

test('rests once in two milliseconds of work', async () => {
  const { pace, pauses } = paced(1)
  expect(await pace.map([1, 2, 3, 4, 5, 6], (item) => item * 2)).toEqual([2, 4, 6, 8, 10, 12])
  expect(pauses()).toBe(3)
})

test('does not rest while no time passes', async () => {
  const { pace, pauses } = paced(0)
  expect(await pace.filter([1, 2, 3], (item) => item !== 2)).toEqual([1, 3])
  expect(pauses()).toBe(0)
})

test('rests after a clock that stepped back', async () => {
  let now = 1_000_000
  let pauses = 0
  const pace = new Pace({ now: () => now }, async () => void pauses++)
  await pace.map([1], (item) => item)
  now = 0
  await pace.map([1, 2, 3], (item) => item)
  expect(pauses).toBe(2)
})

test('starts work in slices, and waits for all of it', async () => {
  const { pace, pauses } = paced(1)
  const items = Array.from({ length: 1000 }, (_, at) => at)
  const doubled = await pace.all(
    items,
    async (item) => item * 2,
    () => false,
  )
  expect(doubled).toEqual(items.map((item) => item * 2))
  expect(pauses()).toBeGreaterThan(30)
})

test('a few works are under way at once', async () => {
  const { pace } = paced(1)
  let [now, most] = [0, 0]
  const work = async () => {
    most = Math.max(most, ++now)
    await new Promise((resolve) => void setImmediate(resolve))
    now--
  }
  await pace.all(Array.from({ length: 100 }), work, () => false)
  expect(most).toBe(32)
})

test('what is final ends the work, and is what came of the rest', async () => {
  const started: number[] = []
  const items = Array.from({ length: 10_000 }, (_, at) => at)
  const made = await paced(1).pace.all(
    items,
    async (item) => {
      started.push(item)
      return item < 40 ? item : -1
    },
    (one) => one === -1,
  )
  expect(made).toEqual(items.map((item) => (item < 40 ? item : -1)))
  expect(started.length).toBeLessThan(100)
})

test('work that fails while other work is started is a rejection that is handled', async () => {
  let now = 0
  const pace = new Pace({ now: () => (now += 2) }, () => new Promise((resolve) => void setImmediate(resolve)))
  const started: number[] = []
  const work = pace.all(
    [1, 2, 3],
    async (item) => {
      started.push(item)
      throw new Error(`work ${item}`)
    },
    () => false,
  )
  await expect(work).rejects.toThrow('work 1')
  expect(started).toEqual([1, 2, 3])
})

test('a value is made in steps, with a rest where a slice is over', async () => {
  const { pace, pauses } = paced(1)
  const steps = function* (): Generator<void, string> {
    for (let step = 0; step < 6; step++) yield
    return 'made'
  }
  expect(await pace.made(steps())).toBe('made')
  expect(pauses()).toBe(3)
})

test('sorts as toSorted does, and rests meanwhile', async () => {
  const order = (a: readonly number[], b: readonly number[]) => (a[0] ?? 0) - (b[0] ?? 0)
  await fc.assert(
    fc.asyncProperty(fc.array(fc.nat(9)), async (keys) => {
      const items = keys.map((key, at) => [key, at])
      expect(await paced(1).pace.sorted(items, order)).toEqual(items.toSorted(order))
    }),
  )
  const { pace, pauses } = paced(1)
  await pace.sorted(
    Array.from({ length: 100 }, (_, at) => [-at]),
    order,
  )
  expect(pauses()).toBeGreaterThan(100)
})

test('a text is written in pieces', async () => {
  const { pace, pauses } = paced(1)
  expect(await pace.text(['a', 'b', 'c', 'd'])).toBe('abcd')
  expect(pauses()).toBe(2)
})

test('characters are counted up to the first that are too many', async () => {
  const { pace } = paced(1)
  expect(await pace.length(['ab', 'cd'], 4)).toBe(4)
  expect(await pace.length(['ab', 'cd', 'ef'], 3)).toBe(4)
})
