import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn } from '../imported.ts'

/* Rows in a member of the answer, beside another one: lists and single rows alike. */

const anything = { type: 'object', additionalProperties: true }
const json = (schema: Json) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
const one = json({ type: 'object', properties: { data: anything, rights: anything } })
const many = json({
  type: 'object',
  properties: {
    data: { type: 'array', items: { type: 'object', properties: { size: { type: 'integer' } } } },
  },
})
const body = {
  content: { 'application/json': { schema: { type: 'object', properties: { data: anything } } } },
}

const mill = catalogIn(
  readOpenapi({
    path: '',
    id: 'mill',
    file: {
      file: '',
      text: JSON.stringify({
        openapi: '3.0.3',
        servers: [{ url: 'https://mill.example' }],
        paths: {
          '/sacks': { get: { responses: many }, post: { requestBody: body, responses: one } },
          '/sacks/{id}': { get: { responses: one } },
          '/sacks/{sack_id}/grains': {
            get: { responses: many },
            post: { requestBody: body, responses: one },
          },
          '/sacks/{sack_id}/grains/{id}': { get: { responses: one } },
        },
      }),
    },
  }),
)

test('a created row has the id in its member', async () => {
  const made = { data: { id: 's1', size: 3 }, rights: {} }
  const answers = { '/sacks': made, '/sacks/s1/grains': { data: { id: 'g1' }, rights: {} } }
  expect((await runOn(mill, 'Sack.create(data={size=3})[id, data.size]', answers)).rows).toEqual([
    [{ id: 's1', 'data.size': 3 }],
  ])
  expect((await runOn(mill, 'Grain.create(sack_id=s1, data={})', answers)).rows).toEqual([
    [{ sack_id: 's1', id: 'g1', data: { id: 'g1' }, rights: {} }],
  ])
})

test('rows of lists keep their own ids', async () => {
  const answers = { '/sacks': { data: [{ id: 's1', size: 3 }] } }
  expect((await runOn(mill, 'Sack{}[id, size]', answers)).rows).toEqual([[{ id: 's1', size: 3 }]])
})
