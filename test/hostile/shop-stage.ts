import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text as textOf } from 'node:stream/consumers'
import { serveHere } from '../surfaces/server-here.ts'
import type { Server } from '../surfaces/server-process.ts'
import { jsonOf, SEEDS, SHOP } from '../surfaces/test-server.ts'

/** The answer of a run over HTTP, as far as these tests read it. */
interface Ran {
  readonly status: number
  /** The text, or of a refusal its detail. */
  readonly text: string
  readonly effects: readonly { readonly row: number; readonly state: string }[]
  readonly codes: readonly string[]
}

/** An API that records what it receives and answers a write as a test says. */
export interface RecordingApi {
  readonly url: string
  /** `DELETE /v1/customers/c5`, in order of arrival. */
  readonly log: string[]
  /** The idempotency keys of the writes, where they have one. */
  readonly keys: (string | undefined)[]
  /** Answers a write. */
  onWrite: (response: ServerResponse, line: string) => void | Promise<void>
  readonly close: () => void
}

const customer = { id: 'c1', name: 'Ada', email: 'ada@shop.example', tier: 'gold', tags: [] }

/** The API of the fixture catalog `shop`, with one customer. */
export async function startRecordingApi(): Promise<RecordingApi> {
  const log: string[] = []
  const keys: (string | undefined)[] = []
  const server = createServer((request, response) => {
    void textOf(request).then(async () => {
      const line = `${request.method} ${request.url}`
      log.push(line)
      if (request.method !== 'GET') {
        keys.push(request.headers['idempotency-key']?.toString())
        return api.onWrite(response, line)
      }
      const isList = new URL(line.slice(4), 'http://shop.test').pathname.endsWith('/customers')
      answer(response, 200, isList ? { customers: [customer] } : customer)
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  const api: RecordingApi = {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`,
    log,
    keys,
    onWrite: (response) => answer(response, 204),
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
  return api
}

export function answer(response: ServerResponse, status: number, body?: object): void {
  response.writeHead(status, { 'content-type': 'application/json', location: '/v1/elsewhere' })
  response.end(body === undefined ? undefined : JSON.stringify(body))
}

/** The requests that change something. */
export function writesIn(log: readonly string[]): readonly string[] {
  return log.filter((line) => !line.startsWith('GET '))
}

/** A server before a recording API, with a session `s0` that knows customers. */
export interface Stage {
  readonly api: RecordingApi
  readonly server: Server
  readonly dataDir: string
  /** Reviews the program and gives its plan. */
  readonly plan: (program: string) => Promise<string>
  /** Runs the program with its plan. */
  readonly run: (program: string, plan: string) => Promise<Ran>
  readonly close: () => Promise<void>
}

/**
 * @param catalog a folder that says what the fixture `shop` says, and more
 * @param start starts the server: in this process, unless a test does something to its process
 */
export async function openStage({
  flags = [],
  env = {},
  catalog = SHOP,
  start = serveHere,
}: {
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
  readonly catalog?: string
  readonly start?: typeof serveHere
} = {}): Promise<Stage> {
  const api = await startRecordingApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
  const own = ['--no-shipped', '--catalog', catalog, '--backend', `shop=${api.url}`]
  const server = await start(dataDir, [...own, ...flags], env)
  await server.send('POST', '/v1/contexts', { intent: 'hostile', seeds: SEEDS })
  const post = (what: string, body: object) => server.send('POST', `/v1/contexts/s0/${what}`, body)
  return {
    api,
    server,
    dataDir,
    plan: async (program) => (await jsonOf<{ readonly plan: string }>(await post('plan', { program }))).plan,
    run: async (program, plan) => {
      const response = await post('run', { program, plan })
      const body = await jsonOf<Answer>(response)
      return {
        status: response.status,
        text: body.text ?? body.detail ?? '',
        effects: body.effects ?? [],
        codes: (body.problems ?? []).map(({ code }) => code),
      }
    },
    close: async () => {
      await server.kill()
      api.close()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

interface Answer {
  readonly text?: string
  readonly detail?: string
  readonly effects?: Ran['effects']
  readonly problems?: readonly { readonly code: string }[]
}
