import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { says, told } from '../../told.ts'

it('lists what is missing with its types', () => {
  expect(says('e2.create(gift=true)', inShop)).toBe(
    '`create` of Order needs `customer` (Customer), `products` ([Product]). Add `customer` (Customer), `products` ([Product])',
  )
  expect(told('e2{status=open}', inShop)).toEqual(['missing_argument: e2'])
})
it('what the receiver supplies is not missing', () => {
  expect(told('e1(c7).order-create(products=[1])', inShop)).toEqual([])
})
