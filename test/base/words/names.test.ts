import { describe, expect, test } from 'vitest'
import { camel, pascal, snake, wordsOf } from '../../../src/base/words/names.ts'
import { singular } from '../../../src/base/words/singular.ts'

describe('names', () => {
  test.each([
    ['getHTTPStatus', ['get', 'http', 'status']],
    ['get-http_status', ['get', 'http', 'status']],
    ['Vpc2Node', ['vpc2', 'node']],
    ['Bestätigung/größe', ['bestatigung', 'große']],
    ['주문', ['주문']],
    ['__', []],
  ])('split into words, as %s does', (name, words) => {
    expect(wordsOf(name)).toEqual(words)
  })

  test('are spelled in three cases', () => {
    expect(['IssueComment', 'HTTPRoute', 'Order', 'Vpc2Node'].map(snake)).toEqual([
      'issue_comment',
      'http_route',
      'order',
      'vpc2_node',
    ])
    expect(['issue_comment', 'HTTPRoute'].map(pascal)).toEqual(['IssueComment', 'HttpRoute'])
    expect(['issue_comment', 'HTTPRoute'].map(camel)).toEqual(['issueComment', 'httpRoute'])
  })

  test('end after their first letters if they are long', () => {
    expect(wordsOf('a'.repeat(1_000_000)).join('')).toHaveLength(400)
  })
})

describe('the singular', () => {
  test.each([
    ['stories', 'story'],
    ['ties', 'tie'],
    ['movies', 'movie'],
    ['boxes', 'box'],
    ['databases', 'database'],
    ['houses', 'house'],
    ['statuses', 'status'],
    ['videos', 'video'],
    ['schemas', 'schema'],
    ['people', 'person'],
  ])('of %s is %s', (plural, one) => {
    expect([singular(plural), singular(one)]).toEqual([one, one])
  })

  test.each(['status', 'address', 'analysis', 'news', 'series', 'alias', 'gas', 'dns', 'kubernetes'])(
    'of %s is the word itself',
    (word) => {
      expect(singular(word)).toBe(word)
    },
  )
})
