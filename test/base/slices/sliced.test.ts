import { expect, test } from 'vitest'
import { Sliced } from '../../../src/base/slices/sliced.ts'

function* counted(steps: string[]) {
  for (const step of ['one', 'two']) {
    steps.push(step)
    yield
  }
  return steps.length
}

test('is made a slice for each step, and once', () => {
  const steps: string[] = []
  const sliced = new Sliced(counted(steps))
  expect(steps).toEqual([])
  expect(sliced.step()).toBe(true)
  expect(steps).toEqual(['one'])
  expect(sliced.whole()).toBe(2)
  expect(sliced.step()).toBe(false)
  expect([sliced.whole(), steps]).toEqual([2, ['one', 'two']])
})
