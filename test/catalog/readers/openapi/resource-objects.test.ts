import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn, runOn, tableOf, whyIn } from '../imported.ts'

/* The resource objects of JSON:API: `{type, id, attributes: {…}, relationships: {bed: {data: {type, id}}}}`. */

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const array = (items: Json) => ({ type: 'array', items })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const answer = (schema: Json) => ({
  200: { description: 'ok', content: { 'application/vnd.api+json': { schema } } },
})
const identifier = object({ type: text, id: text })
const key = { name: 'id', in: 'path', required: true, schema: text }
const number = { name: 'page[number]', in: 'query', schema: integer }
const size = {
  name: 'page',
  in: 'query',
  style: 'deepObject',
  schema: object({ offset: integer, limit: integer }),
}
const listOf = (name: string) =>
  answer(
    object({ data: array(ref(name)), included: array({ type: 'object' }), links: object({ next: text }) }),
  )

const reading = readOpenapi({
  path: 'garden.json',
  id: 'garden',
  file: {
    file: 'garden.json',
    text: JSON.stringify({
      openapi: '3.0.3',
      servers: [{ url: 'https://garden.example' }],
      components: {
        schemas: {
          Plant: object({
            type: text,
            id: text,
            attributes: object({
              name: text,
              height_cm: integer,
              notes: array(object({ day: text, said: text })),
            }),
            relationships: object({
              bed: object({ data: identifier }),
              gardener: object({ data: identifier }),
              seeds: object({ data: array(identifier) }),
            }),
            links: object({ self: text }),
          }),
          Bed: object({
            type: text,
            id: text,
            attributes: object({ title: text }),
            relationships: object({ plants: object({ data: array(identifier) }) }),
          }),
        },
      },
      paths: {
        '/plants': { get: { parameters: [number], responses: listOf('Plant') } },
        '/plants/{id}': { parameters: [key], get: { responses: answer(object({ data: ref('Plant') })) } },
        '/beds': { get: { parameters: [size], responses: listOf('Bed') } },
        '/beds/{id}': { parameters: [key], get: { responses: answer(object({ data: ref('Bed') })) } },
      },
    }),
  },
})
const garden = catalogIn(reading)

const plant = (id: string, bed: string, height: number) => ({
  type: 'plants',
  id,
  attributes: {
    name: `Plant ${id}`,
    height_cm: height,
    notes: [{ day: 'monday', said: `grew to ${height}` }],
  },
  relationships: { bed: { data: { type: 'beds', id: bed } } },
})
const bed = (id: string, ...plants: readonly string[]) => ({
  type: 'beds',
  id,
  attributes: { title: `Bed ${id}` },
  relationships: { plants: { data: plants.map((one) => ({ type: 'plants', id: one })) } },
})

test('attributes are columns, relationships references', () => {
  expect(tableOf(garden)).toMatchInlineSnapshot(`
    "plasm_expr	Meaning
    e1($)	Bed · id, title, plants [e2], type
    e1	[e1]
    e2($)	Plant · id, name, height_cm int, notes […], bed e1, gardener, seeds json, type
    e2	[e2]
    "
  `)
  expect(whyIn(reading, 'Plant')).toContain('Its rows are resource objects of JSON:API')
})

const BEDS = [bed('b1', 'p1', 'p3'), bed('b2', 'p2')]
const PLANTS = [plant('p1', 'b1', 30), plant('p2', 'b2', 60), plant('p3', 'b1', 90)]
const [FIRST = null, , THIRD = null] = PLANTS

test('attributes are read and chosen by, page after page', async () => {
  const answers = {
    '/plants?page[number]=1': { data: PLANTS.slice(0, 2), links: { next: '/plants?page[number]=2' } },
    '/plants?page[number]=2': { data: PLANTS.slice(2), links: { next: null } },
  }
  expect(await runOn(garden, 'Plant{height_cm>40}[id,name,bed]', answers)).toEqual({
    rows: [
      [
        { id: 'p2', name: 'Plant p2', bed: 'b2' },
        { id: 'p3', name: 'Plant p3', bed: 'b1' },
      ],
    ],
    calls: Object.keys(answers).map((address) => `GET ${address}`),
  })
})

test('relationships lead to rows, and lists among the attributes are rows', async () => {
  const answers = {
    '/plants/p1': { data: FIRST },
    '/plants/p3': { data: THIRD },
    '/beds/b1': { data: BEDS[0] ?? null },
  }
  expect(await runOn(garden, 'Bed("b1").plants[name]', answers)).toEqual({
    rows: [[{ name: 'Plant p1' }, { name: 'Plant p3' }]],
    calls: ['GET /beds/b1', 'GET /plants/p1', 'GET /plants/p3'],
  })
  expect((await runOn(garden, 'Plant("p1").bed[title]', answers)).rows).toEqual([[{ title: 'Bed b1' }]])
  expect((await runOn(garden, 'Plant("p3").notes[said]', answers)).rows).toEqual([[{ said: 'grew to 90' }]])
})

test('the keys of `page` are filled by paging', async () => {
  const answers = {
    '/beds?page[offset]=0': { data: BEDS.slice(0, 1), links: { next: '/beds?page[offset]=1' } },
    '/beds?page[offset]=1': { data: BEDS.slice(1), links: { next: null } },
  }
  expect((await runOn(garden, 'Bed.aggregate(n=count)', answers)).rows).toEqual([[{ n: 2 }]])
})
