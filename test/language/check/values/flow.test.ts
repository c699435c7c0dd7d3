import { expect, it } from 'vitest'
import { inBoth, inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('an id of one entity names no other', () => {
  expect(problemLines('o = e2("o1")\ne4(o.id)', inShop)).toEqual(['foreign_identity: o.id'])
  expect(problemLines('o = e2("o1")\ne1(o.customer)', inShop)).toEqual([])
})
it('an id of one API names nothing of another', () => {
  expect(problemLines('b = Book(x1)\ne2.create(customer=b.isbn, products=[1])', inBoth)).toEqual([
    'foreign_identity: b.isbn',
  ])
  expect(problemLines('b = Book(x1)\ne2{customer=b}', inBoth)).toEqual(['foreign_identity: b'])
})
it('text that says so crosses over', () => {
  expect(problemLines('b = Book(x1)\ne2("${b.isbn}")', inBoth)).toEqual([])
  expect(problemLines('b = Book(x1)\ne2("o1").cancel(reason=b.title)', inBoth)).toEqual([])
})
it('types that can never fit are refused', () => {
  expect(problemLines('c = e1(c7)\ne1(c7).update(name=c.tags)', inShop)).toEqual([
    'incompatible_value: c.tags',
  ])
  expect(problemLines('o = e2("o1")\ne2.create(customer=c7, products=[1], gift=o.total)', inShop)).toEqual([
    'incompatible_value: o.total',
  ])
})
it('a reference names its own entity', () => {
  expect(problemLines('e2{customer=e4(1)}', inShop)).toEqual(['wrong_reference: e4'])
})
