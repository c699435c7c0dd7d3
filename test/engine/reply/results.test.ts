import { expect, test } from 'vitest'
import { Pace } from '../../../src/base/slices/pace.ts'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { excerptOf, resultsText } from '../../../src/engine/reply/results.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const pace = new Pace({ now: () => 0 }, async () => {})
const ENDS_OF_LINES = /\r\n|[\n\v\f\r\u0085\u2028\u2029]/

test.each([
  ['line ends', 'a\nb\r\nc', 'a\\nb\\r\\nc'],
  ['line ends of Unicode', 'a\u2028b\u2029c\u0085d', 'a\\u{2028}b\\u{2029}c\\u{85}d'],
  ['tabs and what looks like an escaped one', 'a\tb\\tc', 'a\\tb\\\\tc'],
  ['fences and headings', '```\n## Fake (1 row)', '```\\n## Fake (1 row)'],
  ['what moves a cursor or is not seen', 'a\u001B[2Jb\u202Ec\uD800d', 'a\\u{1b}[2Jb\\u{202e}c\\u{d800}d'],
])('no cell forges a row or a column: %s', async (_, value, shown) => {
  const roots = [{ label: 'x', columns: ['id', 'name'], rows: [{ values: { id: 1, name: value } }] }]
  const lines = resultsText(roots, await excerptOf(roots, pace), undefined, []).split(ENDS_OF_LINES)
  const fence = value.startsWith('```') ? '````' : '```'
  expect(lines).toEqual(['## x (1 row)', '', `${fence}tsv`, 'id\tname', `1\t${shown}`, fence, ''])
})

test.each([
  ['text', 'word '.repeat(100_000), `${'word '.repeat(80)}… (500000 characters)`],
  ['list', Array.from({ length: 500 }, () => 1), `[${'1,'.repeat(199)}1… (1001 characters)`],
  [
    'list of a million',
    Array.from({ length: 1e6 }, () => 1),
    `[${'1,'.repeat(199)}1… (over 10000 characters)`,
  ],
])('of a long %s a cell shows the beginning', async (_, value, shown) => {
  const [excerpt] = await excerptOf([{ label: 'x', columns: ['a'], rows: [{ values: { a: value } }] }], pace)
  expect(excerpt).toEqual({ lines: [shown], cut: true })
})

test.each([
  ['Customer{name=absent} => Customer(_.id).delete()', true],
  ['Customer{name=absent}', false],
])('a program that may change something says that it changed nothing: %s', async (program, changes) => {
  const engine = testEngine({
    effectPolicy: () => 'allow',
    wire: {
      send: async () => ({
        ok: true,
        reply: { status: 200, headers: {}, body: { customers: [] }, bytes: 2, requests: 1 },
      }),
    },
  })
  engine.swap(setOf(fixtureCatalog('shop')))
  const seeds = [{ api: 'shop', entity: 'Customer' }]
  await engine.gateway.context(LOCAL_USER, { intent: 'shop', seeds })
  const { signal } = new AbortController()
  const { text } = await engine.gateway.run(LOCAL_USER, { logical_session_ref: 's0', program }, { signal })
  expect(text).toContain('(no results)')
  expect(text.includes('_Changes: none._')).toBe(changes)
})
