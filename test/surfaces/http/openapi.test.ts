import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { GRAMMAR } from '../../../src/engine/index.ts'
import { type TestServer, jsonOf, SEEDS, startTestServer } from '../test-server.ts'

let server: TestServer
let document: Document
beforeAll(async () => {
  server = await startTestServer()
  document = await jsonOf<Document>(await fetch(`${server.url}/openapi.json`))
})
afterAll(() => server.close())

interface Operation {
  readonly operationId: string
  readonly tags: readonly string[]
  readonly security: readonly object[]
  readonly responses: Readonly<Record<string, object>>
}

interface Document {
  readonly openapi: string
  readonly servers: readonly object[]
  readonly components: object
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}

test('describes every route, and what needs the token', () => {
  expect([document.openapi, document.servers]).toEqual(['3.1.0', [{ url: '/', description: 'This server' }]])
  const routes = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(
      ([method, { operationId, tags, security, responses }]) =>
        `${tags.join()} ${operationId}: ${method.toUpperCase()} ${path} ${security.length > 0 ? 'token' : 'public'} ${Object.keys(responses).join(' ')}`,
    ),
  )
  expect(routes).toEqual([
    'Sessions openContext: POST /v1/contexts token 200 201 4XX 5XX',
    'Sessions listContexts: GET /v1/contexts token 200 304 4XX 5XX',
    'Sessions getContext: GET /v1/contexts/{ref} token 200 304 4XX 5XX',
    'Sessions closeContext: DELETE /v1/contexts/{ref} token 204 4XX 5XX',
    'Sessions getTable: GET /v1/contexts/{ref}/table token 200 304 4XX 5XX',
    'Sessions addSeeds: POST /v1/contexts/{ref}/seeds token 200 201 4XX 5XX',
    'Programs planProgram: POST /v1/contexts/{ref}/plan token 200 4XX 5XX',
    'Programs runProgram: POST /v1/contexts/{ref}/run token 200 4XX 5XX',
    'Programs readPage: GET /v1/pages/{handle} token 200 4XX 5XX',
    'Programs readSnapshot: GET /v1/contexts/{ref}/snapshots/{n} token 200 304 4XX 5XX',
    'Catalogs listCatalogs: GET /v1/registry token 200 304 4XX 5XX',
    'Catalogs discover: POST /v1/discover token 200 4XX 5XX',
    'Catalogs getGrammar: GET /v1/grammar public 200 304 4XX 5XX',
    'Server getHealth: GET /v1/health public 200 4XX 5XX',
    'Server getReadiness: GET /v1/ready public 200 4XX 5XX',
    'Traces listTraces: GET /v1/traces token 200 4XX 5XX',
    'Traces getTrace: GET /v1/traces/{id} token 200 4XX 5XX',
    'Traces followTrace: GET /v1/traces/{id}/stream token 200 4XX 5XX',
    'Server getMetrics: GET /metrics token 200 4XX 5XX',
  ])
})

test('passes the recommended rules of Redocly', { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-openapi-'))
  const file = join(folder, 'openapi.json')
  await writeFile(file, JSON.stringify(document))
  const cli = createRequire(import.meta.url).resolve('@redocly/cli/bin/cli.js')
  const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
  const { stdout } = await promisify(execFile)(
    process.execPath,
    [cli, 'lint', file, '--extends', 'recommended', '--format', 'json'],
    { cwd: folder, env: { ...process.env, ...quiet } },
  )
  expect(JSON.parse(stdout)).toMatchObject({ totals: { errors: 0, warnings: 0 }, problems: [] })
  await rm(folder, { recursive: true })
})

test('answers are as it describes them, and nothing else', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true })
  ajv.addSchema(document, 'document')
  const send = async (name: string, request: Promise<Response>) => {
    const response = await request
    const type = response.headers.get('content-type')?.split(';')[0] ?? ''
    const schema = type === 'application/problem+json' ? 'Problem' : name
    const body = await response.clone().json()
    const isValid = ajv.validate({ $ref: `document#/components/schemas/${schema}` }, body)
    expect([name, isValid || ajv.errorsText()]).toEqual([name, true])
    return response
  }
  const context = { intent: 'thank our customers', seeds: SEEDS }
  await send('Context', server.send('POST', '/v1/contexts', context))
  await send('Context', server.send('POST', '/v1/contexts', { ...context, intent: 'thank all customers' }))
  await send('Context', server.send('POST', '/v1/contexts', { intent: 'x', seeds: [{ entity: 'Custmer' }] }))
  await send('Sessions', server.send('GET', '/v1/contexts'))
  await send('Session', server.send('GET', '/v1/contexts/s0'))
  await send('Discovery', server.send('POST', '/v1/discover', { intent: 'list customers', max_options: 1 }))
  await send('Registry', server.send('GET', '/v1/registry'))
  const run = (program: string, more: object = {}) =>
    server.send('POST', '/v1/contexts/s0/run', { program, ...more })
  const plan = (program: string) => server.send('POST', '/v1/contexts/s0/plan', { program })
  await send('Plan', plan('Customer{tier=gold}.limit(2)[id, name]'))
  await send('Plan', plan('Customer("c4").delete()'))
  await send('Run', run('Customer("c4").delete()', { plan: 'pc1' }))
  await send('Run', run('Custmer{teir=gold}'))
  await send('Run', run('Customer[id, notes]'))
  await send('Run', server.send('GET', '/v1/pages/s0_pg1?limit=2'))
  await send('Snapshot', server.send('GET', '/v1/contexts/s0/snapshots/1'))
  const traces = await send('Traces', server.send('GET', '/v1/traces'))
  const { traces: listed } = await jsonOf<{ readonly traces: readonly { trace_id: string }[] }>(traces)
  await send('Trace', server.send('GET', `/v1/traces/${listed[0]?.trace_id ?? ''}`))
})

test('takes its schemas from the engine', () => {
  expect(document).toMatchObject({
    components: {
      schemas: { ContextInput: { properties: { intent: { type: 'string' }, seeds: { type: 'array' } } } },
    },
  })
})

test('gives the grammar, byte for byte', async () => {
  const response = await fetch(`${server.url}/v1/grammar`)
  expect([response.headers.get('content-type'), await response.text()]).toEqual([
    'text/plain; charset=utf-8',
    GRAMMAR,
  ])
})
