import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('operators cannot follow a write', () => {
  expect(problemLines('e2(o1).cancel().limit(2)', inShop)).toEqual(['write_in_read: limit'])
  expect(problemLines('c = e1\nc => e1(_.id).update(name=x).limit(2)', inShop)).toEqual([
    'write_in_read: limit',
  ])
  expect(problemLines('e4(3).forecast().limit(1)', inShop)).toEqual([])
})
