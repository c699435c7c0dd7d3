import { expect, test } from 'vitest'
import { planOfText } from '../../read.ts'
import { inBoth, inShop } from '../../sessions.ts'

const labels = (program: string, scope = inShop) =>
  planOfText(program, scope).returns.map(({ label }) => label)

test.each([
  ['the entity', 'e1(c7)', ['Customer']],
  ['the entity of a query with steps', 'e1{tier=gold}.sort(name).limit(3)[id, name]', ['Customer']],
  ['the entity of a search', 'e4~"claw hammer"', ['Product']],
  ['the relation', 'e1(c7).orders{status=paid}[id]', ['orders']],
  ['the last relation', 'e1(c7).orders.lines.article', ['article']],
  ['the reference', 'e2(o1).customer[name]', ['customer']],
  ['the method', 'e2(o1).cancel(reason="late")', ['cancel']],
  ['the method of an each', 'e2{customer=c7} => _.remind', ['remind']],
  [
    'the step that computes',
    'e4.aggregate(n=count), e4.group_by(category, n=count)',
    ['aggregate', 'group_by'],
  ],
  ['the label', 'c = e1\nc', ['c']],
  ['the label that it picks from', 'c = e1\nc.sort(name).limit(2)[id]', ['c']],
  ['not the label that it leaves', 'c = e1(c7)\nc.orders', ['orders']],
])('a result is called by %s', (_, program, expected) => {
  expect(labels(program)).toEqual(expected)
})

test.each([
  ['two of an entity', 'e1(c7), e1(c8), e1(c9)', ['Customer', 'Customer_2', 'Customer_3']],
  ['two of a label', 'c = e1\nc[id], c[name]', ['c', 'c_2']],
  ['a label alone keeps its name', 'c = e1\nc[id], c', ['c_2', 'c']],
  ['a label twice', 'c = e1\nc, c', ['c', 'c_2']],
  ['a label that a number would meet', 'c = e1\nc_2 = e4\nc, c[id], c_2', ['c', 'c_3', 'c_2']],
  ['a label of other rows', 'orders = e4\ne1(c7).orders', ['orders_2']],
])('no two are called the same: %s', (_, program, expected) => {
  expect(labels(program)).toEqual(expected)
})

test('entities of two catalogs get different names', () => {
  expect(labels('e2(o1), e7("7b1f1f0e-55a3-4b5e-9f52-0d3c2c5b7a11")', inBoth)).toEqual(['Order', 'Order_2'])
})

test('names mean nothing to the plan', () => {
  const digests = ['e1[id]', 'c = e1\nc[id]', 'd = e1\nd[id]'].map((text) => planOfText(text, inShop).digest)
  expect(new Set(digests).size).toBe(1)
})
