import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { requestOf } from '../../../src/catalog/call.ts'
import { readCatalogPath } from '../../../src/adapters/catalogs/files.ts'

const HOME = 'src/adapters/catalogs/shipped'

test('five catalogs are shipped', () => {
  expect(readdirSync(HOME).toSorted()).toEqual(['bazaar', 'github', 'hackernews', 'openbrewerydb', 'pokeapi'])
})

test.each(readdirSync(HOME))('%s reads without problems', async (id) => {
  const { catalog, errors, warnings } = await readCatalogPath(`${HOME}/${id}`)
  expect({ id: catalog?.id, errors, warnings, unsupported: catalog?.unsupported }).toEqual({
    id,
    errors: [],
    warnings: [],
    unsupported: [],
  })
})

test.each(readdirSync(HOME))('%s can be executed whole', async (id) => {
  const { catalog } = await readCatalogPath(`${HOME}/${id}`)
  const cannot = catalog?.capabilities.filter(
    ({ unsupported, call }) => unsupported.length > 0 || call === null,
  )
  expect(cannot).toEqual([])
})

test('pokeapi steps by whole pages', async () => {
  const { catalog } = await readCatalogPath(`${HOME}/pokeapi`)
  const paged = catalog?.capabilities.flatMap((capability) => requestOf(capability)?.paging ?? []) ?? []
  expect(new Set(paged.map((paging) => JSON.stringify(paging.parameters)))).toEqual(
    new Set([
      JSON.stringify([
        { name: 'limit', kind: 'fixed', value: 20, isPageSize: true },
        { name: 'offset', kind: 'counter', start: 0, step: 20 },
      ]),
    ]),
  )
})

test('all relations of the shop can be followed', async () => {
  const { catalog } = await readCatalogPath(`${HOME}/bazaar`)
  const relations = catalog?.entities.flatMap(({ name, relations: its }) =>
    its.map((one) => `${name}.${one.name} ${one.via.kind}`),
  )
  expect(relations).toEqual([
    'Product.reviews query',
    'Customer.orders query',
    'Customer.reviews query',
    'Order.lines parent',
  ])
})
