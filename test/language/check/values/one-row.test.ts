import { expect, it } from 'vitest'
import { atDesk, inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('a single value needs a single row', () => {
  expect(problemLines('x = e1\ne2{customer=x}', inShop)).toEqual([
    'many_rows: x -> x = e1.singleton()\ne2{customer=x}',
  ])
  expect(problemLines('x = e1.limit(1)\ne2{customer=x}', inShop)).toEqual([])
  expect(problemLines('x = e1.singleton()\ne2{customer=x.id}', inShop)).toEqual([])
})
it('a row with several columns is not one value', () => {
  expect(problemLines('x = {a: 1, b: 2}\ne3(t1).tag(label=x)', atDesk)).toEqual(['which_column: x'])
})
