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

/** A wrong name of `length` characters. */
const wrong = (at: number, length: number) => `nam${at}`.padEnd(length, 'x')

test.each([
  ['conditions', `e1{${list(2400, (at) => `${wrong(at, 20)}=1`).join(',')}}`],
  ['columns', `e1[${list(4900, (at) => wrong(at, 10)).join(',')}]`],
  ['arguments', `e1(c7).update(${list(2400, (at) => `${wrong(at, 20)}=1`).join(',')})`],
  ['values', `e1{${list(2400, (at) => `tier=${wrong(at, 18)}`).join(',')}}`],
])('a refused program of 60 KB costs little: wrong %s', (_, program) => {
  expect(program.length).toBeGreaterThan(50_000)
  expect(cost(program)).toBeLessThan(120)
})

test.each([
  ['of slips that have fixes', list(240, () => 'Product{maker=x}.sort(-price)').join('\n')],
  ['of values that are almost right', list(330, () => 'Customer{tier=golde}').join('\n')],
])('a refused program of 8 KB %s costs little', (_, program) => {
  expect(program.length).toBeLessThan(8192)
  expect(cost(program)).toBeLessThan(40)
})
