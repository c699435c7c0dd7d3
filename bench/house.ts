import { fetch } from 'undici'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { localToken } from '../src/adapters/auth/local-token.ts'
import { assemble } from '../src/app/assemble.ts'
import { readConfig } from '../src/config/read.ts'
import type { Caller, Gateway, Verifier } from '../src/engine/index.ts'
import type { Shot } from './load.ts'

/** The whole server as `serve` builds it, listening. */
export interface House {
  /** As `--store` takes it. */
  readonly store: string
  readonly gateway: Gateway
  readonly caller: Caller
  readonly url: string
  readonly token: string
  readonly verifier: Verifier
  readonly close: () => Promise<void>
}

/** What every measured call asks for: a session that is there, with entities that it knows. */
export const REPEATED = {
  intent: 'Bench: which customers ordered what',
  seeds: [
    { api: 'bazaar', entity: 'Order' },
    { api: 'bazaar', entity: 'Customer' },
  ],
}

/** `REPEATED` as clients send it. */
export function contextShot(url: string, token: string): Shot {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    'content-length': String(BODY.length),
  }
  return { url: `${url}/v1/contexts`, headers, body: BODY }
}

const ONE_LINE = '_Session unchanged'
const BODY = JSON.stringify(REPEATED)

/** Builds a house with a data directory of its own and opens the session that the measured calls repeat. */
export async function build(store: string, settings: object = {}): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-bench-'))
  const config = readConfig({
    flags: { store, data_dir: dataDir, port: 0, log_level: 'silent', ...settings },
    env: { PLASMID_SECRET: 'a-secret-that-all-houses-of-one-bench-share' },
    cwd: dataDir,
  })
  const built = config.ok ? await assemble(config.value) : config
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('; '))
  const { gateway, caller, listen, shutDown } = built.value
  const server = await listen()
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  await openUntilRepeated(contextShot(server.url, token))
  const verifier = await localToken(dataDir)
  if (!verifier.ok) throw new Error('the token of the data directory cannot be read')
  return {
    store,
    gateway,
    caller,
    url: server.url,
    token,
    verifier: verifier.value,
    close: async () => {
      await server.close(1000)
      await shutDown()
      await rm(dataDir, { recursive: true })
    },
  }
}

/**
 * Opens the session over HTTP: what counts as taught is what was written to a reader, and that is noted just after. What is
 * measured is the one line: an engine that teaches again would be a slow one for another reason.
 */
async function openUntilRepeated({ url, headers, body }: Shot): Promise<void> {
  let answer = ''
  for (let tries = 0; tries < 100 && !answer.includes(ONE_LINE); tries++) {
    answer = await (await fetch(url, { method: 'POST', headers, body })).text()
    await setImmediate()
  }
  if (!answer.includes(ONE_LINE)) throw new Error(`a repeat is not one line: ${answer}`)
}
