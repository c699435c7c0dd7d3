import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { every } from '../../src/app/every.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

test('work comes again after it is over, until it is stopped', async () => {
  const began: number[] = []
  const ends: (() => void)[] = []
  const start = Date.now()
  const stop = every(10, async () => {
    began.push(Date.now() - start)
    await new Promise<void>((done) => void ends.push(done))
    if (began.length === 2) throw new Error('the next time comes all the same')
  })
  for (let turn = 0; turn < 4; turn++) {
    await vi.advanceTimersByTimeAsync(15)
    ends[turn]?.()
  }
  await vi.advanceTimersByTimeAsync(0)
  expect(began).toEqual([10, 25, 40, 55])
  stop()
  await vi.advanceTimersByTimeAsync(1000)
  expect(began).toHaveLength(4)
})
