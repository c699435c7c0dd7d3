import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('a write without rows cannot be read from', () => {
  expect(problemLines('r = e2("o1").remind\ne1(c7).update(notes=r.id)', inShop)).toEqual([
    'write_gives_no_rows: r',
  ])
  expect(problemLines('e2("o1").remind().limit(2)', inShop)).toEqual(
    ['write_gives_no_rows: e2("o1").remind()'].map((line) => line.replace('e2("o1")', '')),
  )
  expect(problemLines('e2("o1").remind', inShop)).toEqual([])
})
