import { expect, it } from 'vitest'
import { atDesk, inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('reports a misspelt argument once, with its correction', () => {
  expect(problemLines('e4(3).restock(quantty=2)', inShop)).toEqual([
    'unknown_argument: quantty -> e4(3).restock(quantity=2)',
  ])
})
it('an open input accepts names unlike any parameter', () => {
  expect(problemLines('e3(t1).tag(color=red)', atDesk)).toEqual([])
  expect(problemLines('e3(t1).tag(lable=red)', atDesk)).toEqual([
    'unknown_argument: lable -> e3(t1).tag(label=red)',
  ])
})
it('a symbol of another entity is not an argument', () => {
  expect(problemLines('e4(3).restock(p1=2, quantity=1)', inShop)).toEqual(['wrong_symbol: p1'])
})
it('positional arguments are refused', () => {
  expect(problemLines('e4(3).restock(2)', inShop)).toEqual([
    'positional_argument: 2 -> e4(3).restock(quantity=2)',
  ])
})
