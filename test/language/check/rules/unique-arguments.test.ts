import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('an argument is given once', () => {
  expect(problemLines('e1(c7).update(name=a, name=b)', inShop)).toEqual(['duplicate_argument: name=b'])
  expect(problemLines('e3(order_id=o1, order_id=o2, number=1)', inShop)).toEqual([
    'duplicate_argument: order_id',
  ])
  expect(problemLines('e1(c7).orders{customer=c8}', inShop)).toEqual(['duplicate_argument: customer=c8'])
  expect(problemLines('e4.aggregate(n=count, n=max(price))', inShop)).toEqual([
    'duplicate_argument: (n=count, n=max(price))',
  ])
})
