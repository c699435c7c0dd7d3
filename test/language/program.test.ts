import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { check } from '../../src/language/check/check.ts'
import type { Scope } from '../../src/language/check/model/scope.ts'
import { explainProblems } from '../../src/language/explain.ts'
import { readingProgram, readProgram } from '../../src/language/program.ts'
import { waveRows } from '../../src/teaching/rows.ts'
import { anyProgram, mutated } from './generators.ts'
import { checkText } from './read.ts'
import { atDesk, inBoth, inShop } from './sessions.ts'

const explain = (program: string) => {
  const read = readProgram(program, inShop)
  return read.ok ? 'no problem' : explainProblems(program, read.problems)
}

it('explains each problem at its position', () => {
  expect(explain('c = e1(c7)\nc.update(tier=golden)'))
    .toBe(`not_an_option: \`tier\` must be one of \`bronze\`, \`silver\`, \`gold\`, got "golden".
2 | c.update(tier=golden)
                  ^^^^^^
fix: c.update(tier=gold)`)
})

it('shows at most ten problems', () => {
  const program = Array.from({ length: 30 }, (_, index) => `x${index} = e1{wrong${index}=1}`).join('\n')
  const read = readProgram(`${program}\nx0`, inShop)
  expect(!read.ok && read.problems.length).toBe(20)
  expect(explain(`${program}\nx0`).split('\n').at(-1)).toBe('… and 10 more problems')
})

it('reads and checks a statement at a time', () => {
  const text = `${Array.from({ length: 200 }, (_, index) => `x${index} = e1{name=n${index}}`).join('\n')}\nx0`
  const steps = readingProgram(text, inShop)
  let count = 1
  while (!steps.next().done) count++
  expect(count).toBeGreaterThan(2 * 200)
})

it('reports syntax problems before any check', () => {
  expect(explain('e1(c7')).toMatch(/^missing_closer: /)
})

/** Rows that a session's table prints for its first wave. */
function taught(scope: Scope): readonly string[] {
  const { entities } = scope.space
  const picks = [
    {
      catalog: entities[0]?.catalog ?? '',
      digest: entities[0]?.digest ?? '',
      lens: 'all' as const,
      entities: [],
    },
  ]
  const wave = { revision: 1, generation: 1, picks }
  return waveRows({ space: scope.space, now: scope.space, wave, model: scope.model, allows: scope.allows })
}

const unsound = (scope: Scope) =>
  taught(scope).flatMap((row) => {
    const [expression = ''] = row.split('\t')
    return checkText(expression, scope, true).problems.map(({ code }) => `${expression}: ${code}`)
  })

it('every row of a teaching table checks in teaching mode', () => {
  expect([inShop, inBoth, atDesk].flatMap(unsound)).toEqual([])
  expect(taught(inShop).length).toBeGreaterThan(15)
})

it('the checker never throws', () => {
  fc.assert(
    fc.property(anyProgram, fc.boolean(), (program, teaching) => {
      expect(check(program, atDesk, { teaching }).problems.length).toBeLessThanOrEqual(20)
    }),
  )
})

it('the parser never throws', () => {
  const programs = fc.constantFrom(
    'c = e1(c7)\nc.orders{status=paid}.limit(5)[id, total]',
    'r = e4.group_by(category, n=count, m=max(price))\nr',
    'd = [{id: c1}]\nd => e1(_.id).update(name="n ${_.id}", tags=[a, b])',
    'e3(order_id=o1, number=2).article, e2.create(customer=e1(c7), products=[e4(1), 2])',
    'm = e1[name] <<T\n{{ rows[0].name }}\nT\ne1(c7).update(notes=m.content)',
  )
  const holds = () =>
    fc.assert(
      fc.property(mutated(programs), (text) => {
        const read = readProgram(text, inShop)
        expect(read.ok || explainProblems(text, read.problems).length > 0).toBe(true)
      }),
      { numRuns: 500 },
    )
  expect(holds).not.toThrow()
})
