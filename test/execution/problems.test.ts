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
