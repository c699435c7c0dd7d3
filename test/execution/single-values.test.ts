import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { type Runner, runnerOf } from './served.ts'

/* The single values of the catalogs page: an object, a bare number, a text, and bytes. */

const app = new Hono()
  .get('/desk', (c) => c.json({ name: 'front', is_open: true }))
  .get('/backlog', (c) => c.json(12))
  .get('/transcripts/:file', (c) => c.text(`Hello,\n\tsaid ${c.req.param('file')}`))
  .get('/scans/:file', (c) => c.body(new Uint8Array([1, 2, 255]), 200, { 'content-type': 'image/png' }))
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
let served: Runner

beforeAll(async () => {
  if (!server.listening) await new Promise<void>((resolve) => void server.once('listening', () => resolve()))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const reading = readPlasm({
    path: 'desk',
    id: 'desk',
    domain: {
      file: 'domain.yaml',
      text: `version: 1
http_backend: http://127.0.0.1:${port}
auth: { scheme: none }
values:
  line: { type: string }
  yes_no: { type: boolean }
  number: { type: integer }
  prose: { type: string }
entities:
  Desk: { id_field: name, fields: { name: { value_ref: line, required: true }, is_open: { value_ref: yes_no } } }
  Backlog: { id_field: count, fields: { count: { value_ref: number, path: [] } } }
  Transcript: { id_field: ticket, implicit_request_identity: true, fields: { ticket: { value_ref: line }, text: { value_ref: prose, path: [] } } }
  Scan: { id_field: ticket, implicit_request_identity: true, fields: { ticket: { value_ref: line }, image: { value_ref: line, path: [] } } }
capabilities:
  desk_get: { kind: singleton, entity: Desk }
  backlog_get: { kind: singleton, entity: Backlog }
  transcript_get: { kind: get, entity: Transcript }
  scan_get: { kind: get, entity: Scan }
`,
    },
    mappings: {
      file: 'mappings.yaml',
      text: `desk_get: { method: GET, path: [{ type: literal, value: desk }] }
backlog_get: { method: GET, path: [{ type: literal, value: backlog }], response: { wrap_root_scalar: true } }
transcript_get: { method: GET, path: [{ type: literal, value: transcripts }, { type: var, name: id, suffix: .txt }], response: { format: text } }
scan_get: { method: GET, path: [{ type: literal, value: scans }, { type: var, name: id }], response: { format: bytes } }
`,
    },
  })
  if (!reading.catalog) throw new Error(JSON.stringify(reading.errors))
  served = runnerOf(reading.catalog)
})
afterAll(async () => {
  await served.close()
  server.close()
})

test.each([
  ['Desk.get()', { name: 'front', is_open: true }],
  ['Backlog.get()', { count: 12 }],
  ['Transcript(t1)', { ticket: 't1', text: 'Hello,\n\tsaid t1.txt' }],
  ['Scan(t1)', { ticket: 't1', image: 'AQL/' }],
])('%s is a row with its value in the declared field', async (program, row) => {
  const { results, problems, rejected } = await served.run(`one = ${program}\none`)
  expect([rejected, problems, results]).toEqual([undefined, [], { one: [row] }])
})
