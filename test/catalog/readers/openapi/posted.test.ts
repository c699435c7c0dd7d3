import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, whyIn } from '../imported.ts'

/* Reads that are posted because they take filters, and answers that are no objects. */

const json = (schema: Json, status = 200) => ({
  [status]: { description: 'ok', content: { 'application/json': { schema } } },
})
const integer = { type: 'integer' }
const text = { type: 'string' }
const map = { type: 'object', additionalProperties: integer }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const list = (items: Json) => ({ type: 'array', items })
const path = (name: string, schema: Json = text) => ({ name, in: 'path', required: true, schema })

/** An operation whose id is its function, its path and its method, as frameworks generate it. */
function operation(method: string, place: string, called: string, responses: Json): Json {
  const words = called.split('_').map((word) => `${word.charAt(0).toUpperCase()}${word.slice(1)}`)
  const names = [...place.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => path(name))
  return {
    [method]: {
      operationId: `${called}${place.replaceAll(/\W/g, '_')}_${method}`,
      summary: words.join(' '),
      parameters: names,
      ...(method === 'post' && {
        requestBody: {
          content: {
            'application/json': {
              schema: { type: 'object', properties: { state: text, offset: integer } },
            },
          },
        },
      }),
      responses,
    },
  }
}

const reading = readOpenapi({
  path: '',
  id: 'mill',
  file: {
    file: '',
    text: JSON.stringify({
      openapi: '3.1.0',
      servers: [{ url: 'https://mill.example' }],
      components: {
        schemas: {
          BatchRun: { type: 'object', properties: { id: text, state: text, grain: text } },
          Miller: { type: 'object', properties: { name: text, age: integer } },
          GetResponse: {
            type: 'object',
            properties: {
              ids: list(text),
              documents: { type: ['array', 'null'], items: { type: ['string', 'null'] } },
              metadatas: list({ oneOf: [{ type: 'null' }, map] }),
              distances: list(list({ type: 'number' })),
            },
          },
        },
      },
      paths: {
        '/batch_runs': operation('post', '/batch_runs', 'create_batch_run', json(ref('BatchRun'), 201)),
        '/batch_runs/filter': operation(
          'post',
          '/batch_runs/filter',
          'read_batch_runs',
          json(list(ref('BatchRun'))),
        ),
        '/batch_runs/history': operation('post', '/batch_runs/history', 'batch_run_history', json(list(map))),
        '/batch_runs/find': operation(
          'post',
          '/batch_runs/find',
          'find_batch_runs',
          json(ref('BatchRun'), 201),
        ),
        '/batch_runs/count': operation('post', '/batch_runs/count', 'count_batch_runs', json(integer)),
        '/batch_runs/lateness': operation(
          'post',
          '/batch_runs/lateness',
          'average_batch_run_lateness',
          json({ anyOf: [{ type: 'number' }, { type: 'null' }] }),
        ),
        '/batch_runs/{id}': operation('get', '/batch_runs/{id}', 'read_batch_run', json(ref('BatchRun'))),
        '/batch_runs/{id}/pause': operation(
          'post',
          '/batch_runs/{id}/pause',
          'pause_batch_run',
          json({ type: 'boolean' }),
        ),
        '/batch_runs/state/{state}': operation(
          'delete',
          '/batch_runs/state/{state}',
          'delete_batch_runs_by_state',
          { 204: { description: 'gone' } },
        ),
        '/millers/{name}': operation('get', '/millers/{name}', 'read_miller', json(ref('Miller'))),
        '/millers/{name}/get_runs': operation(
          'post',
          '/millers/{name}/get_runs',
          'get_runs_of_miller',
          json(list(ref('BatchRun'))),
        ),
        '/millers/{name}/runs/filter': operation(
          'post',
          '/millers/{name}/runs/filter',
          'read_runs_of_miller',
          json(list(ref('BatchRun'))),
        ),
        '/millers/{name}/query': operation(
          'post',
          '/millers/{name}/query',
          'query_miller',
          json(ref('GetResponse')),
        ),
        '/prices': operation('put', '/prices', 'put_prices', json(map)),
        '/health': operation('get', '/health', 'health', json({})),
      },
    }),
  },
})
const mill = catalogIn(reading)
const run = (program: string, answers: Readonly<Record<string, Json>>) => runOn(mill, program, answers)

test('posts whose names read are reads, whatever nouns they have', () => {
  expect(mill.capabilities.map(({ entity, label, kind, effect }) => `${entity}.${label} ${kind} ${effect}`))
    .toMatchInlineSnapshot(`
    [
      "BatchRun.get get read",
      "BatchRun.create create write",
      "BatchRun.filter query read",
      "BatchRun.by-miller query read",
      "BatchRun.millers-runs-filter query read",
      "BatchRun.find action write",
      "BatchRun.pause action write",
      "BatchRun.delete-runs-by-state action side_effect",
      "Miller.get get read",
      "Health.get get read",
      "History.query query read",
      "BatchRunCount.get get read",
      "Lateness.get get read",
      "MillerQuery.get get read",
      "Price.prices action write",
    ]
  `)
  expect(whyIn(reading, 'batch_run_filter')).toContain('A POST to `filter` only reads.')
})

test('values and maps are one row with a value', async () => {
  const answers = {
    '/batch_runs/count': 7,
    '/batch_runs/lateness': 1.5,
    '/batch_runs/b1/pause': true,
    '/prices': { rye: 3 },
  }
  expect((await run('BatchRunCount.get()', answers)).rows).toEqual([[{ value: 7 }]])
  expect((await run('Lateness.get()', answers)).rows).toEqual([[{ value: 1.5 }]])
  expect((await run('BatchRun(b1).pause()', answers)).rows).toEqual([[{ id: 'b1', value: true }]])
  expect((await run('Price.prices()', answers)).rows).toEqual([[{ value: { rye: 3 } }]])
})

test('parallel lists are columns of one row', async () => {
  const answer = { ids: ['a', 'b'], documents: ['x', null], metadatas: [null, {}], distances: [[0.1, 0.2]] }
  const { rows } = await run('MillerQuery.get(miller_name=ann)', { '/millers/ann/query': answer })
  expect(rows).toEqual([[answer]])
})

test('relations of posted reads are named after the rows', () => {
  const relations = mill.entities.find(({ name }) => name === 'Miller')?.relations.map(({ name }) => name)
  expect(relations).toEqual(['get_runs', 'runs', 'miller_query'])
})
