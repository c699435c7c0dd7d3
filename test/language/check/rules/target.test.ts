import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { messagesOf, problemLines } from '../../problem-lines.ts'

it('a method needs a single target', () => {
  expect(problemLines('Product.restock(quantity=2)', inShop)).toEqual(['needs_target: restock'])
  expect(messagesOf('e3.update(quantity=2)', inShop)).toBe(
    '`update` needs one OrderLine. Write `e3(order_id=order_id, number=number).update(…)`.',
  )
  expect(problemLines('e1{tier=gold}.delete()', inShop)).toEqual([
    'many_target: delete -> e1{tier=gold} => _.delete()',
  ])
  expect(problemLines('e1(c7).create(name=a, email=b)', inShop)).toEqual([
    'takes_no_target: create -> e1.create(name=a, email=b)',
  ])
})
it('a key among the arguments selects the target', () => {
  expect(problemLines('e4.restock(id=3, quantity=2)', inShop)).toEqual([])
})
