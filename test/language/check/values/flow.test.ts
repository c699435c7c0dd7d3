import { expect, it } from 'vitest'
import { capability, desk, entity, field, parameter } from '../../desk-catalog.ts'
import { problemLines } from '../../problem-lines.ts'
import { inBoth, inShop, sessionOf } from '../../sessions.ts'

it('an id of another entity is refused', () => {
  expect(problemLines('o = e2("o1")\ne4(o.id)', inShop)).toEqual(['foreign_identity: o.id'])
  expect(problemLines('o = e2("o1")\ne1(o.customer)', inShop)).toEqual([])
})
it('an id of another API is refused', () => {
  expect(problemLines('b = Book(x1)\ne2.create(customer=b.isbn, products=[1])', inBoth)).toEqual([
    'foreign_identity: b.isbn',
  ])
  expect(problemLines('b = Book(x1)\ne2{customer=b}', inBoth)).toEqual(['foreign_identity: b'])
})
it('an id of a variant of the entity has a fix: both share ids', () => {
  const owner = parameter('owner', { kind: 'reference', entity: 'PublicUser' }, true)
  const music = {
    ...desk,
    id: 'music',
    entities: ['PrivateUser', 'PublicUser', 'Album'].map((name) => entity(name, [field('id')])),
    capabilities: [
      capability('privateuser_get', 'PrivateUser', 'get'),
      capability('publicuser_get', 'PublicUser', 'get'),
      capability('album_get', 'Album', 'get'),
      capability('album_create', 'Album', 'create', { parameters: [owner] }),
    ],
  }
  const scope = sessionOf([music])
  const create = 'Album.create(owner=me.id)'
  expect(problemLines(`me = PrivateUser(1)\n${create}`, scope)).toEqual([
    'foreign_identity: me.id -> me = PrivateUser(1)\nAlbum.create(owner="${me.id}")',
  ])
  expect(problemLines(`me = Album(1)\n${create}`, scope)).toEqual(['foreign_identity: me.id'])
})
it('interpolated text may carry a foreign id', () => {
  expect(problemLines('b = Book(x1)\ne2("${b.isbn}")', inBoth)).toEqual([])
  expect(problemLines('b = Book(x1)\ne2("o1").cancel(reason=b.title)', inBoth)).toEqual([])
})
it('incompatible types are refused', () => {
  expect(problemLines('c = e1(c7)\ne1(c7).update(name=c.tags)', inShop)).toEqual([
    'incompatible_value: c.tags',
  ])
  expect(problemLines('o = e2("o1")\ne2.create(customer=c7, products=[1], gift=o.total)', inShop)).toEqual([
    'incompatible_value: o.total',
  ])
})
it('a reference must name the expected entity', () => {
  expect(problemLines('e2{customer=e4(1)}', inShop)).toEqual(['wrong_reference: e4'])
})
