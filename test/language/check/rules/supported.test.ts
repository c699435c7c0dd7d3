import { expect, it } from 'vitest'
import { atDesk } from '../../sessions.ts'
import { says, told } from '../../told.ts'

it('refuses what we cannot run, by name', () => {
  expect(told('e3(t1).merge', atDesk)).toEqual(['unsupported_capability: merge'])
  expect(says('e3(t1).merge()', atDesk)).toBe(
    '`merge` cannot run here: unsupported: multipart. Reach the goal with another capability',
  )
})
