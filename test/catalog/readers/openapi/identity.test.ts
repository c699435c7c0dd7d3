import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { catalogIn } from '../imported.ts'

/* Which field of a row the variable of its path repeats. */

const text = { type: 'string' }
const uuid = { type: 'string', format: 'uuid' }

/** The key of the rows of one path, whose variable is declared so. */
function keyOf(variable: string, declared: Json, id: Json, name: Json = text): readonly string[] {
  const schema = { type: 'object', properties: { id, name } }
  return keyAt(`/barns/{${variable}}`, schema, [
    { name: variable, in: 'path', required: true, ...Object(declared) },
  ])
}

/** The key of the rows of the path. */
function keyAt(path: string, schema: Json, parameters: Json): readonly string[] {
  const operation = {
    parameters,
    responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
  }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://mill.example' }],
    paths: { [path]: { get: operation } },
  }
  const file = { file: '', text: JSON.stringify(document) }
  return catalogIn(readOpenapi({ path: '', id: 'mill', file })).entities[0]?.key ?? []
}

test.each<[string, string, Json, Json, string]>([
  ['text is no uuid', 'barn', { schema: text }, uuid, 'name'],
  ['text is no number', 'barn', { schema: text }, { type: 'integer' }, 'name'],
  ['it is called a name', 'barn', { schema: text, description: 'The name of the barn.' }, text, 'name'],
  ['it may be both', 'barn', { schema: text, description: 'Name or ID of the barn' }, text, 'id'],
  ['of one type', 'barn', { schema: uuid }, uuid, 'id'],
  ['nothing is declared', 'barn', {}, uuid, 'id'],
  ['it is called an id', 'barn_id', { schema: text, description: 'Name of the barn' }, uuid, 'id'],
  ['it is the id', 'id', { schema: text }, uuid, 'id'],
])('%s: `{%s}`', (_title, variable, declared, id, key) => {
  expect(keyOf(variable, declared, id)).toEqual([key])
})

test('a name of another type is none', () => {
  expect(keyOf('barn', { schema: text }, uuid, { type: 'object' })).toEqual(['id'])
})

test('of two variables that are names, the name of the row is the last one', () => {
  const schema = { type: 'object', properties: { name: text, weight: { type: 'number' } } }
  const parameters = ['barnName', 'sackName'].map((name) => ({
    name,
    in: 'path',
    required: true,
    schema: text,
  }))
  expect(keyAt('/barns/{barnName}/{sackName}', schema, parameters)).toEqual(['barnName', 'name'])
})
