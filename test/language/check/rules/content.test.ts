import { expect, it } from 'vitest'
import { inShop } from '../../sessions.ts'
import { problemLines } from '../../problem-lines.ts'

it('text content cannot be returned as rows', () => {
  expect(problemLines('m = e1[name] <<T\nhi\nT\nm.content', inShop)).toEqual([
    'content_root: content -> m = e1[name] <<T\nhi\nT\nm',
  ])
})
