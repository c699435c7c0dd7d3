import { expect, test } from 'vitest'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { unixFormatOf } from '../../../../src/catalog/readers/openapi/schema/moments.ts'
import { catalogIn } from '../imported.ts'

/* Moments that a document counts in seconds or milliseconds, and says so by its examples alone. */

const INTEGER = { type: 'integer' }
const TASK = {
  type: 'object',
  properties: {
    id: INTEGER,
    name: { type: 'string' },
    due_date: INTEGER,
    created_at: { type: 'string' },
    time_spent: INTEGER,
  },
}
const EXAMPLE = {
  id: 1508369194377,
  name: 'x',
  due_date: 1508369194377,
  created_at: '1508369194',
  time_spent: 8640000,
}
const content = { 'application/json': { schema: TASK, example: EXAMPLE } }

const reading = readOpenapi({
  path: 'tasks.json',
  id: 'tasks',
  file: {
    file: '',
    text: JSON.stringify({
      openapi: '3.0.3',
      servers: [{ url: 'https://tasks.example' }],
      paths: {
        '/tasks/{id}': {
          get: {
            parameters: [{ name: 'id', in: 'path', required: true, schema: INTEGER }],
            responses: { 200: { description: 'ok', content } },
          },
        },
        '/tasks': { post: { requestBody: { content }, responses: { 201: { description: 'ok', content } } } },
      },
    }),
  },
})

const MILLISECONDS = { kind: 'date', format: 'unix_ms' }
const SECONDS_IN_TEXT = { kind: 'date', format: 'unix_sec', text: true }

test('the example of a property tells the unit of its moment', () => {
  const { entities, capabilities } = catalogIn(reading)
  const types = (slots: readonly { readonly name: string; readonly type: unknown }[] = []) =>
    Object.fromEntries(slots.map(({ name, type }) => [name, type]))
  const expected = { due_date: MILLISECONDS, created_at: SECONDS_IN_TEXT, time_spent: { kind: 'integer' } }
  expect(types(entities[0]?.fields)).toMatchObject({ ...expected, id: { kind: 'integer' } })
  expect(types(capabilities.find(({ kind }) => kind === 'create')?.parameters)).toMatchObject(expected)
})

test.each([
  ['due_date', 1508369194377, 'unix_ms'],
  ['start', '1508369194', 'unix_sec'],
  ['due_date', 20240101, undefined],
  ['due_date', '2024-01-01', undefined],
  ['phone', 1508369194, undefined],
  ['due_date', null, undefined],
])('%s with the example %s: %s', (name, example, format) => {
  expect(unixFormatOf(name, example)).toBe(format)
})
