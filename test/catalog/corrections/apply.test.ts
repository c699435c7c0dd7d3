import { expect, test } from 'vitest'
import { corrected } from '../../../src/catalog/corrections/apply.ts'
import type { ServedCatalog } from '../../../src/catalog/model.ts'
import { fixtureCatalog } from '../../engine/fixtures.ts'

const shop: ServedCatalog = fixtureCatalog('shop')

function applied(entities: Parameters<typeof corrected>[1]['entities']) {
  const { catalog, warnings } = corrected(shop, { entities })
  const names = catalog.entities.map(({ name }) => name)
  return { names, warnings: warnings.map(({ code, message }) => `${code}: ${message}`), catalog }
}

test('a name that another entity has is left out', () => {
  const { names, warnings } = applied({ Customer: { name: 'Order' } })
  expect(names.filter((name) => name === 'Order')).toHaveLength(1)
  expect(warnings).toEqual([
    'correction_unfit: The configuration corrects the entity `Customer`, but another entity is named `Order`.',
  ])
})

test('two entities cannot be given one name', () => {
  const { names } = applied({ Customer: { name: 'Thing' }, Order: { name: 'Thing' } })
  expect(names.filter((name) => name === 'Thing')).toHaveLength(1)
})

test('a key that is no field is left out', () => {
  const { catalog, warnings } = applied({ Customer: { key: ['nope'] } })
  expect(catalog.entities.find(({ name }) => name === 'Customer')?.key).toEqual(['id'])
  expect(warnings).toEqual([
    'correction_unfit: The configuration corrects the entity `Customer`, but it has no field `nope`.',
  ])
})
