import { expect, it } from 'vitest'
import { atDesk, inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('API parameters support equality only', () => {
  expect(problemLines('e1{joined_after>2024-01-01}', inShop)).toEqual([
    'parameter_operator: joined_after>2024-01-01 -> e1{joined_after=2024-01-01}',
  ])
  expect(problemLines('e1{tier!=gold}', inShop)).toEqual([])
})
it('dates, text and numbers are ordered', () => {
  expect(
    problemLines('e1{joined_at>=2024-01-01, name<m}, e4{price>10, released<=2024-01-01}', inShop),
  ).toEqual([])
})
it('other types support equality only', () => {
  expect(problemLines('e3{owner=a1, closed>true}', atDesk)).toEqual(['wrong_operator: closed>true'])
  expect(problemLines('e4{price>}', inShop)).toEqual(['wrong_operator: price>'])
  expect(problemLines('e4.aggregate(m=sum(name))', inShop)).toEqual(['wrong_operator: name'])
})
