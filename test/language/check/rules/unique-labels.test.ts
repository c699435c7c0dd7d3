import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('a label is bound once, before its uses', () => {
  expect(problemLines('a = e1\na = e4\na', inShop)).toEqual(['duplicate_label: a'])
  expect(problemLines('b = a\na = e1\nb', inShop)).toEqual(['forward_reference: a'])
  expect(problemLines('x = e2{customer=c}\nc = e1(c7)\nx', inShop)).toEqual(['forward_reference: c'])
})
