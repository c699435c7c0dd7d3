import { expect, it } from 'vitest'
import { inBoth, inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('an id of another entity is refused', () => {
  expect(problemLines('o = e2("o1")\ne4(o.id)', inShop)).toEqual(['foreign_identity: o.id'])
  expect(problemLines('o = e2("o1")\ne1(o.customer)', inShop)).toEqual([])
})
it('an id of another API is refused', () => {
  expect(problemLines('b = Book(x1)\ne2.create(customer=b.isbn, products=[1])', inBoth)).toEqual([
    'foreign_identity: b.isbn',
  ])
  expect(problemLines('b = Book(x1)\ne2{customer=b}', inBoth)).toEqual(['foreign_identity: b'])
})
it('interpolated text may carry a foreign id', () => {
  expect(problemLines('b = Book(x1)\ne2("${b.isbn}")', inBoth)).toEqual([])
  expect(problemLines('b = Book(x1)\ne2("o1").cancel(reason=b.title)', inBoth)).toEqual([])
})
it('incompatible types are refused', () => {
  expect(problemLines('c = e1(c7)\ne1(c7).update(name=c.tags)', inShop)).toEqual([
    'incompatible_value: c.tags',
  ])
  expect(problemLines('o = e2("o1")\ne2.create(customer=c7, products=[1], gift=o.total)', inShop)).toEqual([
    'incompatible_value: o.total',
  ])
})
it('a reference must name the expected entity', () => {
  expect(problemLines('e2{customer=e4(1)}', inShop)).toEqual(['wrong_reference: e4'])
})
