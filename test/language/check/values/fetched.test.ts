import { expect, it } from 'vitest'
import { atDesk } from '../../sessions.ts'
import { told } from '../../told.ts'

it('what nothing fetches is known by its key', () => {
  expect(told('e2(b1)', atDesk)).toEqual(['no_query: e2(b1)'])
  expect(told('b = e2(b1)\ne3(t1).tag(label=b.level)', atDesk)).toEqual(['no_query: b.level'])
  expect(told('b = e2(b1)\nb.revoke, b.tickets, e3{badge=b}', atDesk)).toEqual([])
})
