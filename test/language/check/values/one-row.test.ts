import { expect, it } from 'vitest'
import { atDesk, inShop } from '../../sessions.ts'
import { told } from '../../told.ts'

it('one value wants one row', () => {
  expect(told('x = e1\ne2{customer=x}', inShop)).toEqual([
    'many_rows: x -> x = e1.singleton()\ne2{customer=x}',
  ])
  expect(told('x = e1.limit(1)\ne2{customer=x}', inShop)).toEqual([])
  expect(told('x = e1.singleton()\ne2{customer=x.id}', inShop)).toEqual([])
})
it('several columns are no one value', () => {
  expect(told('x = {a: 1, b: 2}\ne3(t1).tag(label=x)', atDesk)).toEqual(['which_column: x'])
})
