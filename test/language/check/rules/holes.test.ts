import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('placeholders of a table are refused in a program', () => {
  expect(problemLines('e1($).update(name=$,..)', inShop)).toEqual([
    'placeholder: $',
    'placeholder: $',
    'ellipsis: .. -> e1($).update(name=$)',
  ])
  expect(problemLines('e1(c7).update(name="costs $5")', inShop)).toEqual([])
})
