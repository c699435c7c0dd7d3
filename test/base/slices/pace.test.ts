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
