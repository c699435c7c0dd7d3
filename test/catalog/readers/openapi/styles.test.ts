import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, tableOf, whyIn } from '../imported.ts'

/* Documents in the styles of well-known APIs: how they page, nest, name their methods and their paths. */

function reading(style: string) {
  const file = new URL(`../../../fixtures/openapi/styles/${style}.json`, import.meta.url)
  return readOpenapi({ path: '', id: style, file: { file: '', text: readFileSync(file, 'utf8') } })
}

function run(style: string, program: string, answers: Readonly<Record<string, Json>>) {
  return runOn(catalogIn(reading(style)), program, answers)
}

test('lists are read on from their last row', async () => {
  const page = (has_more: boolean, ...ids: readonly string[]): Json => ({
    data: ids.map((id) => ({ id })),
    has_more,
  })
  const answers = {
    '/v1/customers?limit=100': page(true, 'a', 'b'),
    '/v1/customers?starting_after=b&limit=100': page(false, 'c'),
  }
  const { rows } = await run('pay', 'Customer{}.sort(id)[id]', answers)
  expect(rows).toEqual([[{ id: 'a' }, { id: 'b' }, { id: 'c' }]])
  expect(whyIn(reading('pay'), 'customer_query')).toContain(
    'Pages by the last row: `starting_after` takes its `id`, until `has_more` of the answer ends it.',
  )
})

test('a page that takes text takes the next page of the answer', async () => {
  const page = (id: string, next_page: string | null) => ({
    data: [{ id }],
    has_more: next_page !== null,
    next_page,
  })
  const answers = {
    '/v1/charges/search?query=late': page('a', 'k9'),
    '/v1/charges/search?query=late&page=k9': page('b', null),
  }
  expect((await run('pay', 'Charge~"late".sort(id)[id]', answers)).rows).toEqual([[{ id: 'a' }, { id: 'b' }]])
})

test('a POST to a row changes it, whatever its id repeats', () => {
  const methods = catalogIn(reading('pay')).capabilities.map(({ entity, label }) => `${entity}.${label}`)
  expect(methods).toContain('Customer.update')
})

test('HAL: the rows stand in `_embedded`, which is absent where there are none', async () => {
  const orders = { _embedded: { orders: [{ orderNumber: 'n1', total: 2 }] }, page: { size: 20 } }
  const search = '/orders/search/findByStatus?status='
  const answers = { [`${search}OPEN`]: orders, [`${search}PAID`]: { page: { size: 20 } } }
  const program = (status: string) => `Order.search-find-by-status(status=${status})[orderNumber,total]`
  expect((await run('hal', program('OPEN'), answers)).rows).toEqual([[{ orderNumber: 'n1', total: 2 }]])
  expect((await run('hal', program('PAID'), answers)).rows).toEqual([[]])
})

test('variables of several segments are names of resources', async () => {
  const name = 'projects/p/topics/t'
  const { calls } = await run('cloud', `Topic("${name}")[state]\nTopic{resource="projects/p"}[name]`, {
    [`/v1/${name}`]: { name, state: 'ACTIVE' },
    '/v1/projects/p/topics': { topics: [{ name }] },
  })
  expect(calls.toSorted()).toEqual(['GET /v1/projects/p/topics', `GET /v1/${name}`])
  expect(tableOf(catalogIn(reading('cloud')))).toContain('e1($).publish()\twrite e1 · opt messages')
})

test('an action in the query is a read only if its verb reads', () => {
  const kinds = catalogIn(reading('query')).capabilities.map(({ label, effect }) => `${label}: ${effect}`)
  expect(kinds).toEqual(['query: read', 'add: read', 'get-stop-instances: write'])
})

test('the table shows what a get needs besides its key', async () => {
  const { rows } = await run('zoo', 'AnyAnimal(7, X_Zoo_Tenant=north)[name,lives]', {
    '/animals/7': { id: 7, kind: 'cat', name: 'Tom', lives: 9 },
  })
  expect(rows).toEqual([[{ name: 'Tom', lives: 9 }]])
  expect(tableOf(catalogIn(reading('zoo')))).toContain('e1($,X_Zoo_Tenant=$)\tAnyAnimal · id int')
})
