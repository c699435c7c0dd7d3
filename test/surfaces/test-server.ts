import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { assemble } from '../../src/app/assemble.ts'
import { readConfig } from '../../src/config/read.ts'
import { startShopApi, type ShopApi } from './shop-api.ts'

export const SHOP = fileURLToPath(new URL('../fixtures/catalogs/shop', import.meta.url))
export const SEEDS = [{ api: 'shop', entity: 'Customer' }]

/** The whole server on a port of its own, with the fixture `shop` and its API, as a user would run it. */
export interface TestServer {
  readonly url: string
  readonly token: string
  readonly api: ShopApi
  /** A request with the token; objects as bodies are sent as JSON. */
  readonly send: (
    method: string,
    path: string,
    body?: string | Buffer | object,
    headers?: Record<string, string>,
  ) => Promise<Response>
  /** An MCP client over HTTP. */
  readonly client: (mode: 'legacy' | 'auto') => Promise<Client>
  readonly close: () => Promise<void>
}

export async function startTestServer(
  flags: Readonly<Record<string, unknown>> = {},
  env: Readonly<Record<string, string>> = {},
): Promise<TestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-server-'))
  const api = await startShopApi()
  const config = readConfig({
    flags: {
      catalogs: [SHOP],
      shipped: false,
      backends: { shop: api.url },
      store: 'memory',
      data_dir: dataDir,
      port: 0,
      ...flags,
    },
    env,
    cwd: dataDir,
  })
  if (!config.ok) throw new Error(JSON.stringify(config.problems))
  const assembled = await assemble(config.value)
  if (!assembled.ok) throw new Error(JSON.stringify(assembled.problems))
  const assembly = assembled.value
  const server = await assembly.listen()
  const token = config.value.auth === 'off' ? '' : (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  const authorization: Record<string, string> = token === '' ? {} : { authorization: `Bearer ${token}` }
  const clients: Client[] = []
  return {
    url: server.url,
    token,
    api,
    send: (method, path, body, headers = {}) => {
      const isJson = typeof body === 'object' && !Buffer.isBuffer(body)
      const type: Record<string, string> = isJson ? { 'content-type': 'application/json' } : {}
      const sent = body === undefined ? {} : { body: isJson ? JSON.stringify(body) : body }
      return fetch(`${server.url}${path}`, {
        method,
        headers: { ...authorization, ...type, ...headers },
        ...sent,
      })
    },
    client: async (mode) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
      await client.connect(
        new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), {
          requestInit: { headers: authorization },
        }),
      )
      clients.push(client)
      return client
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()))
      await server.close(100)
      await assembly.shutDown()
      await api.close()
      await rm(dataDir, { recursive: true })
    },
  }
}

/** The body of an answer. */
export async function jsonOf<Body = object>(response: Response): Promise<Body> {
  const body: Body = JSON.parse(await response.text())
  return body
}

/** JSON by the line. */
export function linesOf(text: string): object[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line): object => JSON.parse(line))
}

/** The text of a tool's answer. */
export function textOf(result: { readonly content: readonly { readonly type: string }[] }): string {
  const [first] = result.content
  return first && 'text' in first ? String(first.text) : ''
}

/** `_meta` of a tool's answer. */
export function metaOf({ _meta: meta }: { readonly _meta?: Readonly<Record<string, unknown>> | undefined }) {
  return meta
}
