import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { assemble } from '../../src/app/assemble.ts'
import { openAdminStore } from '../../src/app/admin-store.ts'
import { readConfig } from '../../src/config/read.ts'
import { SHOP } from './test-server.ts'
import { startShopApi, type ShopApi } from './shop-api.ts'

export const ISSUERS = ['https://login.example', 'https://other.example'] as const
const AUDIENCE = 'https://plasmid.example/mcp'

const pairs = new Map(
  await Promise.all(ISSUERS.map(async (issuer) => [issuer, await generateKeyPair('ES256')] as const)),
)

/** A token of one of the two issuers, good for an hour but for the changes; an `iat` of null is left out. */
export function tokenOf(
  { iat, ...claims }: Omit<JWTPayload, 'iat'> & { readonly iat?: number | null },
  issuer: (typeof ISSUERS)[number] = ISSUERS[0],
): Promise<string> {
  const now = Math.floor(Date.now() / 1000)
  const pair = pairs.get(issuer)
  if (!pair) throw new Error('no such issuer')
  return new SignJWT({
    iss: issuer,
    aud: AUDIENCE,
    sub: 'bob',
    ...(iat !== null && { iat: iat ?? now }),
    exp: now + 3600,
    ...claims,
  })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
    .sign(pair.privateKey)
}

/** A whole server that takes keys and tokens, under a policy that the test can write. */
export interface AuthTestServer {
  readonly url: string
  readonly api: ShopApi
  readonly dataDir: string
  readonly keyOf: (subject: string, tenant?: string, only?: readonly string[]) => Promise<string>
  readonly writePolicy: (text: string) => Promise<void>
  readonly send: (
    credential: string | undefined,
    method: string,
    path: string,
    body?: object,
  ) => Promise<Response>
  readonly client: (credential?: string) => Promise<Client>
  readonly close: () => Promise<void>
}

function headersOf(credential: string | undefined): Record<string, string> {
  return credential === undefined ? {} : { authorization: `Bearer ${credential}` }
}

export async function startAuthTestServer(flags: Readonly<Record<string, unknown>>): Promise<AuthTestServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-auth-server-'))
  const api = await startShopApi()
  const jwt = await Promise.all(
    [...pairs].map(async ([issuer, { publicKey }], index) => {
      const path = join(dataDir, `jwks${index}.json`)
      const keys = [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k1' }]
      await writeFile(path, JSON.stringify({ keys }))
      return { issuer, jwks: `file:${path}` }
    }),
  )
  const policy = join(dataDir, 'policy.yaml')
  const writePolicy = (text: string) => writeFile(policy, text)
  await writePolicy('default: allow')
  const config = readConfig({
    flags: {
      catalogs: [SHOP],
      shipped: false,
      backends: { shop: api.url },
      store: 'memory',
      data_dir: dataDir,
      port: 0,
      public_url: new URL(AUDIENCE).origin,
      jwt,
      policy,
      ...flags,
    },
    env: {},
    cwd: dataDir,
  })
  if (!config.ok) throw new Error(JSON.stringify(config.problems))
  const assembled = await assemble(config.value)
  if (!assembled.ok) throw new Error(JSON.stringify(assembled.problems))
  const server = await assembled.value.listen()
  const clients: Client[] = []
  return {
    url: server.url,
    api,
    dataDir,
    keyOf: async (subject, tenant, only) => {
      const adminStore = await openAdminStore(config.value)
      if (!adminStore.ok) throw new Error(JSON.stringify(adminStore.problems))
      const made = await adminStore.value.keys.add({ subject, tenant, ...(only ? { only } : {}) })
      if (!made.ok) throw new Error(JSON.stringify(made.problems))
      return made.value.key
    },
    writePolicy,
    send: (credential, method, path, body) =>
      fetch(`${server.url}${path}`, {
        method,
        headers: { ...headersOf(credential), ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      }),
    client: async (credential) => {
      const client = new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode: 'auto' } })
      const requestInit = { headers: headersOf(credential) }
      await client.connect(new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit }))
      clients.push(client)
      return client
    },
    close: async () => {
      await Promise.all(clients.map((client) => client.close()))
      await server.close(100)
      await assembled.value.shutDown()
      await api.close()
      await rm(dataDir, { recursive: true })
    },
  }
}
