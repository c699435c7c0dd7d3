import { expect, test } from 'vitest'
import { mcpProblem } from '../../src/adapters/mcp/problems.ts'
import { wireProblem } from '../../src/adapters/wire/problems.ts'
import { afterChange } from '../../src/execution/executor.ts'
import { problem } from '../../src/execution/problems.ts'

/** Stands for any parameters of a wording. */
const anything: object = new Proxy([], {
  get: (held, name) => {
    const known: unknown = Reflect.get(held, name)
    return known === undefined && typeof name === 'string' ? anything : known
  },
})

function adviceOf(table: object): readonly (readonly [string, string])[] {
  return Object.entries(table).map(([code, { next }]) => [
    code,
    String(Reflect.apply(next, undefined, [anything])),
  ])
}

test('after a change no problem advises to run the program again', () => {
  const repeating = adviceOf(problem.table).filter(([code, next]) =>
    /run it again/i.test(afterChange({ code, message: '', next }).next),
  )
  expect(repeating).toEqual([])
})

test('what calls state never advises to run the program again', () => {
  const advice = [wireProblem, mcpProblem].flatMap(({ table }) => adviceOf(table))
  expect(advice.filter(([, next]) => /run it again|program again/i.test(next))).toEqual([])
})

test('a conflict advises to read again', () => {
  const next = [400, 409, 412].map((status) => {
    const where = { catalog: 'docks', capability: 'berth_update', called: 'Berth.update' }
    return problem('rejected', { ...where, status, detail: '' }).next
  })
  const again =
    'Read the row again: it exists already, or was changed since. Then correct the arguments as the API says.'
  expect(next).toEqual(['Correct the arguments as the API says.', again, again])
})
