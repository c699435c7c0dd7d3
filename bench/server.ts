import { fetch } from 'undici'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { localToken } from '../src/adapters/auth/local-token.ts'
import { assemble } from '../src/app/assemble.ts'
import { readConfig } from '../src/config/read.ts'
import type { Caller, Gateway, Verifier } from '../src/engine/index.ts'
import type { RecordedRequest } from './load.ts'

/** The whole server as `serve` builds it, listening. */
export interface BenchServer {
  /** As `--store` takes it. */
  readonly store: string
  readonly gateway: Gateway
  readonly caller: Caller
  readonly url: string
  readonly token: string
  readonly verifier: Verifier
  readonly dataDir: string
  readonly close: () => Promise<void>
}

/** The context that measured calls repeat: an open session whose entities were all taught. */
export const REPEATED = {
  intent: 'Bench: which customers ordered what',
  seeds: [
    { api: 'bazaar', entity: 'Order' },
    { api: 'bazaar', entity: 'Customer' },
  ],
}

/** `REPEATED` as an HTTP client sends it. */
export function contextRequest(url: string, token: string): RecordedRequest {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(BODY.length),
  }
  return { url: `${url}/v1/contexts`, headers, body: BODY }
}

const ONE_LINE = '_Session unchanged'
const BODY = JSON.stringify(REPEATED)

/** Of every server of the bench. */
export const SECRET = { PLASMID_SECRET: 'a-secret-that-all-servers-of-one-bench-share' }

/** Starts a server with its own data directory and opens the session that the measured calls repeat. */
export async function startServer(store: string, settings: object = {}): Promise<BenchServer> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-bench-'))
  const config = readConfig({
    flags: { store, data_dir: dataDir, port: 0, log_level: 'silent', request_rate: 'none', ...settings },
    env: SECRET,
    cwd: dataDir,
  })
  const built = config.ok ? await assemble(config.value) : config
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('; '))
  const { gateway, caller, listen, shutDown } = built.value
  const server = await listen()
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  await openUntilRepeated(contextRequest(server.url, token))
  const verifier = await localToken(dataDir, { now: Date.now })
  if (!verifier.ok) throw new Error('the token of the data directory cannot be read')
  return {
    store,
    gateway,
    caller,
    url: server.url,
    token,
    verifier: verifier.value,
    dataDir,
    close: async () => {
      await server.close(1000)
      await shutDown()
      await rm(dataDir, { recursive: true })
    },
  }
}

/**
 * Opens the session over HTTP until the answer is the one line: rows count as taught once they were written to the client,
 * which the server notes just after.
 */
export async function openUntilRepeated({ url, headers, body }: RecordedRequest): Promise<void> {
  let answer = ''
  for (let tries = 0; tries < 100 && !answer.includes(ONE_LINE); tries++) {
    answer = await (await fetch(url, { method: 'POST', headers, body })).text()
    await setImmediate()
  }
  if (!answer.includes(ONE_LINE)) throw new Error(`a repeat is not one line: ${answer}`)
}
