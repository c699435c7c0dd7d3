import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { planOfText } from '../../read.ts'
import { problemLines } from '../../problem-lines.ts'

const chain = (length: number) => `e1(c7)${'.referrer'.repeat(length)}`

it('a program has at most 500 steps', () => {
  expect(problemLines(chain(4000), inShop)).toEqual([`too_many_steps: ${chain(4000)}`])
  expect(planOfText(chain(499), inShop).nodes.length).toBe(500)
  const labels = Array.from(
    { length: 499 },
    (_, index) => `x${index} = ${index === 0 ? 'e1' : `x${index - 1}[id]`}`,
  )
  expect(problemLines(`${labels.join('\n')}\nx498`, inShop)).toEqual([`too_many_steps: x498`])
})
