import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../src/catalog/call.ts'
import { readCatalogPath } from '../../../src/adapters/catalogs/files.ts'
import { checkReport } from '../../../src/catalog/report.ts'

const folder = (name: string) => fileURLToPath(new URL(`../../fixtures/catalogs/${name}`, import.meta.url))
const shop = await readCatalogPath(folder('shop'))
const library = await readCatalogPath(folder('library'))
const harbor = await readCatalogPath(folder('harbor'))
const capability = (name: string) =>
  [shop, library].flatMap(({ catalog }) => catalog?.capabilities ?? []).find((held) => held.name === name)

describe('our own catalogs', () => {
  it.each([shop, library])('load without warnings and run in full: $id', (reading) => {
    const { errors, warnings, unsupported, ok } = checkReport(reading)
    expect({ errors, warnings, unsupported, ok }).toEqual({
      errors: [],
      warnings: [],
      unsupported: [],
      ok: true,
    })
  })

  it('run in full despite warnings: harbor', () => {
    const { errors, warnings, unsupported } = checkReport(harbor)
    expect({ errors, unsupported, warnings: warnings.map(({ code }) => code) }).toEqual({
      errors: [],
      unsupported: [],
      warnings: ['unguarded_variable'],
    })
  })

  it('have their labels and effects', () => {
    expect(
      shop.catalog?.capabilities.map(({ entity, label, effect }) => `${entity}.${label} ${effect}`),
    ).toEqual([
      'Customer.query read',
      'Customer.search read',
      'Customer.get read',
      'Customer.create write',
      'Customer.update write',
      'Customer.delete side_effect',
      'Product.query read',
      'Product.search read',
      'Product.get read',
      'Product.restock write',
      'Product.forecast read',
      'Order.query read',
      'Order.get read',
      'Order.create write',
      'Order.cancel write',
      'Order.remind side_effect',
      'OrderLine.query read',
      'OrderLine.get read',
      'OrderLine.update write',
    ])
  })

  it('have relations of every kind', () => {
    const relations = shop.catalog?.entities.flatMap((entity) =>
      entity.relations.map(({ name, many, via }) => `${name} ${many} ${via.kind}`),
    )
    expect(relations).toEqual([
      'orders true query',
      'favorites true parent',
      'referrer false embedded',
      'complaints true none',
      'lines true query',
      'invoice false parent',
      'article false get',
    ])
  })

  it('have paging of many kinds', () => {
    const kinds = ['customer_query', 'product_query', 'order_query', 'book_query', 'book_search'].map(
      (name) => {
        const paging = requestOf(capability(name))?.paging
        return [paging?.location, paging?.pageSize, paging?.parameters.find(({ kind }) => kind !== 'fixed')]
      },
    )
    expect(kinds).toEqual([
      ['query', 3, { name: 'page', kind: 'counter', start: 1, step: 1 }],
      ['query', 4, { name: 'cursor', kind: 'cursor', field: 'next' }],
      ['query', 2, { name: 'offset', kind: 'counter', start: 0, step: 2 }],
      ['link_header', undefined, undefined],
      ['next_url', 5, undefined],
    ])
  })

  it('have compound keys and splat scopes', () => {
    expect(library.catalog?.entities.map(({ name, key }) => [name, key])).toEqual([
      ['Book', ['isbn']],
      ['Copy', ['branch', 'isbn', 'number']],
      ['Order', ['id']],
    ])
    expect(capability('customer_create')?.idempotencyHeader).toBe('Idempotency-Key')
  })
})
