import { expect, it } from 'vitest'
import { inShop } from '../../../sessions.ts'
import { told } from '../../../told.ts'

it('what is written cannot be cut', () => {
  expect(told('e2(o1).cancel().limit(2)', inShop)).toEqual(['write_in_read: limit'])
  expect(told('c = e1\nc => e1(_.id).update(name=x).limit(2)', inShop)).toEqual(['write_in_read: limit'])
  expect(told('e4(3).forecast().limit(1)', inShop)).toEqual([])
})
