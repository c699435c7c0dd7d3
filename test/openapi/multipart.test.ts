import { afterEach, expect, test } from 'vitest'
import { type Served, serveDocument } from '../execution/served.ts'

let served: Served | undefined
afterEach(async () => served?.close())

test('an upload sends each part as what it is: a file, JSON and text', async () => {
  const text = { type: 'string' }
  const properties = {
    file: { type: 'string', format: 'binary' },
    metadata: { type: 'object', properties: { title: text, year: { type: 'integer' } } },
    note: text,
  }
  const schema = { type: 'object', properties, required: ['file'] }
  const plans = { type: 'array', items: { type: 'object', properties: { id: text } } }
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/plans': {
        get: {
          responses: { 200: { description: 'ok', content: { 'application/json': { schema: plans } } } },
        },
        post: {
          requestBody: { required: true, content: { 'multipart/form-data': { schema } } },
          responses: { 200: { description: 'ok' } },
        },
      },
    },
  }
  const bodies: string[] = []
  served = await serveDocument(document, (app) =>
    app.post('/plans', async (c) => {
      bodies.push(await c.req.raw.clone().text())
      const { file, metadata, note } = await c.req.parseBody()
      const name = file instanceof File ? file.name : ''
      return c.json({ read: [name, metadata, note] })
    }),
  )
  const { problems, rejected } = await served.run(
    'Plan.create(file={text="lines"}, file_name="a \\"b\\".txt", metadata={title: "Sea", year: 1901}, note="from\\nhere")',
  )
  expect([rejected, problems]).toEqual([undefined, []])
  const [body = ''] = bodies
  const boundary = body.slice(2, body.indexOf('\r\n'))
  expect(body.split(`--${boundary}`).map((part) => part.trim().split('\r\n'))).toEqual([
    [''],
    [
      'Content-Disposition: form-data; name="file"; filename="a %22b%22.txt"',
      'Content-Type: application/octet-stream',
      '',
      'lines',
    ],
    [
      'Content-Disposition: form-data; name="metadata"',
      'Content-Type: application/json',
      '',
      '{"title":"Sea","year":1901}',
    ],
    ['Content-Disposition: form-data; name="note"', '', 'from\nhere'],
    ['--'],
  ])
})
