import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, tableOf, whyIn } from '../imported.ts'

/* Documents whose examples contradict their schemas. */

const text = { type: 'string' }
const object = (properties: Json) => ({ type: 'object', properties })

function reading(schema: Json, example?: Json, path = '/spaces/{space_id}/shelf') {
  const media = { schema, ...(example !== undefined && { example }) }
  const get = {
    parameters: [{ name: 'space_id', in: 'path', required: true, schema: text }],
    responses: { 200: { description: 'ok', content: { 'application/json': media } } },
  }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://shelves.example' }],
    paths: { [path]: { get } },
    components: { schemas: { Shelf: object({ id: text, name: text, books: object({ title: text }) }) } },
  }
  return readOpenapi({ path: '', id: 'shelves', file: { file: '', text: JSON.stringify(document) } })
}

const shelf = { $ref: '#/components/schemas/Shelf' }
const shown = { shelves: [{ id: 'a', name: 'A', books: [{ title: 'One' }] }] }

test.each([
  ['of its media type', reading(object({ shelves: shelf }), shown)],
  ['of its schema', reading({ ...object({ shelves: shelf }), examples: [shown] })],
])('an object that the example %s shows as a list is a list', async (_where, read) => {
  expect(whyIn(read, 'shelf_query')).toContain(
    'The schema calls `shelves` an object, its example is a list: the example counts.',
  )
  expect(tableOf(catalogIn(read))).toContain('e1{space_id=$}\t[e1] · Shelf · id, name, books […]')
  const run = (program: string) => runOn(catalogIn(read), program, { '/spaces/7/shelf': shown })
  expect((await run('Shelf{space_id=7}[id,name]')).rows).toEqual([[{ id: 'a', name: 'A' }]])
  expect((await run('Shelf{space_id=7}.books[title]')).rows).toEqual([[{ title: 'One' }]])
})

test.each([
  ['agrees', reading(object({ shelves: shelf }), { shelves: { id: 'a' } })],
  ['shows no objects', reading(object({ shelves: shelf }), { shelves: ['a'] })],
  ['is a list of examples', reading(shelf, [{ id: 'a' }, { id: 'b' }])],
  ['is of the path of one row', reading(object({ shelf }), { shelf: [{ id: 'a' }] }, '/shelves/{space_id}')],
])('the schema counts where the example %s', (_how, read) => {
  expect(catalogIn(read).capabilities.map(({ kind }) => kind)).toEqual(['get'])
})

test('examples of any size are looked at in bounded time', () => {
  const wide = Object.fromEntries(Array.from({ length: 3000 }, (_, index) => [`m${index}`, shelf]))
  const many = Object.fromEntries(Object.keys(wide).map((name) => [name, [{ id: name }]]))
  expect(whyIn(reading(object(wide), many), 'shelf_get').split('the example counts').length).toBeLessThan(401)
})
