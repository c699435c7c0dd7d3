import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('a page handle belongs to its session', () => {
  expect(problemLines('page(pg1), page(s0_pg2, limit=5)', inShop)).toEqual([])
  expect(problemLines('page(s1_pg1)', inShop)).toEqual(['foreign_page: s1_pg1'])
  expect(problemLines('page(s0_pg1, limit=0)', inShop)).toEqual(['wrong_count: 0'])
})
