import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { serveHere } from '../surfaces/server-here.ts'
import type { Server } from '../surfaces/server-process.ts'
import { jsonOf, SHOP } from '../surfaces/test-server.ts'
import { type RecordingApi, startRecordingApi, writesIn } from './shop-stage.ts'

/* Data that crosses from one API into another is seen in the plan, whichever way it comes. */

const TASKS = fileURLToPath(new URL('./catalogs/tasks', import.meta.url))

let shop: RecordingApi
let server: Server
let dataDir: string
const tasks = createServer((request, response) => {
  const from = (Number(new URL(request.url ?? '', 'http://t').searchParams.get('page') ?? 1) - 1) * 3
  const rows = [1, 2, 3].map((one) => ({
    id: from + one,
    title: `Task ${from + one}`,
    points: 1,
    owner: 'ada',
  }))
  response.setHeader('content-type', 'application/json')
  response.end(JSON.stringify({ tasks: rows }))
})

beforeAll(async () => {
  shop = await startRecordingApi()
  await once(tasks.listen(0, '127.0.0.1'), 'listening')
  const address = tasks.address()
  const origin = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`
  dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
  const flags = ['--no-shipped', '--catalog', SHOP, '--catalog', TASKS, '--effects', '*=allow']
  const backends = ['--backend', `shop=${shop.url}`, '--backend', `tasks=${origin}/v1`]
  server = await serveHere(dataDir, [...flags, ...backends], { PLASMID_READ_FLOWS: 'shop=review' })
  const seeds = [
    { api: 'shop', entity: 'Customer' },
    { api: 'tasks', entity: 'Task' },
  ]
  await server.send('POST', '/v1/contexts', { intent: 'flows', seeds })
})
afterAll(async () => {
  await server.kill()
  shop.close()
  tasks.close()
  await rm(dataDir, { recursive: true, force: true })
})

const post = async (what: string, body: object) =>
  jsonOf<{
    readonly text?: string
    readonly code?: string
    readonly results?: { readonly next_page?: string }[]
  }>(await server.send('POST', `/v1/contexts/s0/${what}`, body))

test('a page handle carries the API that its rows came from', async () => {
  const { results } = await post('run', { program: 'Task.page_size(3)' })
  const handle = results?.[0]?.next_page ?? ''
  expect(handle).toMatch(/^s0_pg\d+$/)
  const program = `x = page(${handle})\nx => Customer("c1").update(notes=_.title)`
  expect((await post('plan', { program })).text).toContain('data read from tasks goes into a write of shop')
  expect((await post('run', { program })).code).toBe('plan_required')
  expect(writesIn(shop.log)).toEqual([])
}, 30_000)

test('data in the arguments of reads is shown, and reviewed where the operator asks', async () => {
  const program = 't = Task.limit(1)\nt => Customer(_.title)'
  expect((await post('plan', { program })).text).toContain('data read from tasks goes into a read of shop')
  expect((await post('run', { program })).code).toBe('flow_review_required')
  expect(shop.log).toEqual([])
}, 30_000)
