import { afterEach, expect, test } from 'vitest'
import { tableOf } from '../catalog/readers/imported.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Members of a body whose names are no plain words. */

let served: Served | undefined
afterEach(async () => served?.close())

test('a table quotes the names of such members, and a program takes them so', async () => {
  const text = { type: 'string' }
  const alarm = {
    type: 'object',
    required: ['odata.type'],
    properties: { 'odata.type': text, '@id': text, 'time-zone': text, 'due day': text, level: text },
  }
  const content = {
    'application/json': {
      schema: {
        type: 'object',
        required: ['alarm'],
        properties: { alarm, parts: { type: 'array', items: alarm } },
      },
    },
  }
  const made = { type: 'object', properties: { id: text } }
  const answer = { description: 'ok', content: { 'application/json': { schema: made } } }
  served = await serveDocument(
    {
      openapi: '3.0.3',
      servers: [{ url: 'https://api.example' }],
      paths: {
        '/bells': {
          post: {
            requestBody: { required: true, content },
            responses: { 200: answer },
          },
        },
      },
    },
    (app) => app.post('/bells', (c) => c.json({ id: 'b1' })),
  )
  expect(tableOf(served.catalog, 'Bell')).toContain('{"odata.type", "@id"?, time-zone?, "due day"?, level?}')
  const { rejected, problems } = await served.run(
    'Bell.bells(alarm={"odata.type"=rule, "@id"=x, time-zone=utc, "due day"=monday})',
  )
  expect([rejected, problems]).toEqual([undefined, []])
  expect(served.bodies).toEqual([
    { alarm: { 'odata.type': 'rule', '@id': 'x', 'time-zone': 'utc', 'due day': 'monday' } },
  ])
  const { rejected: wrong = [] } = await served.run('Bell.bells(alarm=none)')
  expect(wrong.join()).toContain('"@id"?')
})
