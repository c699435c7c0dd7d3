import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { messagesOf, problemLines } from '../../problem-lines.ts'

it('lists missing arguments with their types', () => {
  expect(messagesOf('e2.create(gift=true)', inShop)).toBe(
    '`create` of Order needs `customer` (Customer), `products` ([Product]). Add `customer` (Customer), `products` ([Product]).',
  )
  expect(problemLines('e2{status=open}', inShop)).toEqual(['missing_argument: e2'])
})
it('arguments supplied by the receiver are not missing', () => {
  expect(problemLines('e1(c7).order-create(products=[1])', inShop)).toEqual([])
})
