import { expect, test } from 'vitest'
import { readingOf } from '../../src/language/reading.ts'

test.each([
  'e1[id]',
  'e1{state=open',
  'x = e1[id]\nx',
  'e1("c1").delete()',
  '```\ne1[id]\n```',
  'page(s0_pg1)',
  'e1 => e2(_.id)',
  'e1[id], e2',
  'please close e1(42)',
  'Product{price>3}.limit(2)',
  'Order.customer',
  'open = Order{state=open}',
])('%j reads as a program', (text) => {
  expect(readingOf(text)).toBe('program')
})

test.each(['e1', 'Product', 'hello', ' orders '])('%j reads as a name', (text) => {
  expect(readingOf(text)).toBe('name')
})

test.each([
  '',
  'show me all open orders',
  'list issues (only mine), please',
  'delete it.',
  "I'd like to know who's there?",
  'What is the total, e.g. of May?',
  'Find customers where tier = gold',
  'Thanks. Now show the orders.',
  '"hi"',
  '12',
  '{"a": 1}',
  'Grüße: zeig mir alles',
  '/ 1 + 2',
])('%j reads as words', (text) => {
  expect(readingOf(text)).toBe('words')
})

test('a long text of brackets is read in bounded time', () => {
  const before = process.cpuUsage()
  for (const text of ['('.repeat(60_000), 'a '.repeat(30_000), 'e1 '.repeat(20_000), 'a\n'.repeat(30_000)])
    readingOf(text)
  expect(process.cpuUsage(before).user / 1000).toBeLessThan(3000)
})
