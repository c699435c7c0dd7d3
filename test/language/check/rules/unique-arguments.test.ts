import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { told } from '../../told.ts'

it('an argument is given once', () => {
  expect(told('e1(c7).update(name=a, name=b)', inShop)).toEqual(['duplicate_argument: name=b'])
  expect(told('e3(order_id=o1, order_id=o2, number=1)', inShop)).toEqual(['duplicate_argument: order_id'])
  expect(told('e1(c7).orders{customer=c8}', inShop)).toEqual(['duplicate_argument: customer=c8'])
  expect(told('e4.aggregate(n=count, n=max(price))', inShop)).toEqual([
    'duplicate_argument: (n=count, n=max(price))',
  ])
})
