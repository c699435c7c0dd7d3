import { expect, it } from 'vitest'
import { atDesk } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('an entity without a get is known by its key only', () => {
  expect(problemLines('e2(b1)', atDesk)).toEqual(['no_query: e2(b1)'])
  expect(problemLines('b = e2(b1)\ne3(t1).tag(label=b.level)', atDesk)).toEqual(['no_query: b.level'])
  expect(problemLines('b = e2(b1)\nb.revoke, b.tickets, e3{badge=b}', atDesk)).toEqual([])
})
