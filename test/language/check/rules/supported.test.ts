import { expect, it } from 'vitest'
import { atDesk } from '../../sessions.ts'
import { messagesOf, problemLines } from '../../problem-lines.ts'

it('refuses unsupported capabilities by name', () => {
  expect(problemLines('e3(t1).merge', atDesk)).toEqual(['unsupported_capability: merge'])
  expect(messagesOf('e3(t1).merge()', atDesk)).toBe(
    '`merge` cannot run: unsupported multipart. Use another capability.',
  )
})
