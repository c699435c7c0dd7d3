import { expect, test } from 'vitest'
import { problemLines } from '../problem-lines.ts'
import { inShop } from '../sessions.ts'

const list = <T>(count: number, one: (index: number) => T) =>
  Array.from({ length: count }, (_, at) => one(at))

/** The CPU time of the quickest of three checks in ms: the first also compiles. */
function cost(program: string): number {
  const times = list(3, () => {
    const before = process.cpuUsage()
    expect(problemLines(program, inShop)).toHaveLength(20)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...times)
}

test.each([
  ['conditions', `e1{${list(6500, (at) => `nam${at}=1`).join(',')}}`],
  ['columns', `e1[${list(7500, (at) => `nam${at}`).join(',')}]`],
  ['arguments', `e1(c7).update(${list(6500, (at) => `nam${at}=1`).join(',')})`],
  ['values', `e1{${list(5000, (at) => `tier=gol${at}`).join(',')}}`],
])('a refused program of 60 KB costs little: wrong %s', (_, program) => {
  expect(program.length).toBeGreaterThan(50_000)
  expect(cost(program)).toBeLessThan(120)
})
