import { expect, test } from 'vitest'
import { afterChange } from '../../src/execution/executor.ts'
import { problem } from '../../src/execution/problems.ts'

/** Stands for any parameters of a wording. */
const anything: object = new Proxy([], {
  get: (held, name) => {
    const known: unknown = Reflect.get(held, name)
    return known === undefined && typeof name === 'string' ? anything : known
  },
})

test('after a change no problem advises to run the program again', () => {
  const repeating = Object.entries(problem.table).flatMap(([code, { next }]) => {
    const text: unknown = Reflect.apply(next, undefined, [anything])
    return /run it again/i.test(afterChange({ code, message: '', next: String(text) }).next) ? [code] : []
  })
  expect(repeating).toEqual([])
})
