import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import { localToken } from '../src/adapters/auth/local-token.ts'
import { assemble } from '../src/assemble.ts'
import { readConfig } from '../src/config.ts'
import type { Caller, Gateway, Verifier } from '../src/engine/index.ts'

/** The whole server as `serve` builds it, without its socket. */
export interface House {
  readonly store: 'memory' | 'sqlite'
  readonly gateway: Gateway
  readonly caller: Caller
  readonly fetch: (request: Request) => Response | Promise<Response>
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
export function contextRequest(token: string): Request {
  return new Request('http://127.0.0.1/v1/contexts', {
    method: 'POST',
    headers: {
      host: '127.0.0.1',
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      'content-length': String(BODY.length),
    },
    body: BODY,
  })
}

const ONE_LINE = '_Session unchanged'
const BODY = JSON.stringify(REPEATED)

/** Builds a house with a data directory of its own and opens the session that the measured calls repeat. */
export async function build(store: House['store']): Promise<House> {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-bench-'))
  const config = readConfig({ flags: { store, data_dir: dataDir }, env: {}, cwd: dataDir })
  const built = config.ok ? await assemble(config.value) : config
  if (!built.ok) throw new Error(built.problems.map(({ message }) => message).join('; '))
  const { gateway, caller, app, shutDown } = built.value
  const { fetch } = await app()
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  // Opened over HTTP: what counts as taught is what was written to a reader.
  const open = async () => (await fetch(contextRequest(token))).text()
  // That a reader was told is noted just after it was. What is measured is the one line: an engine that teaches again
  // would be a slow one for another reason.
  let answer = await open()
  for (let tries = 0; tries < 100 && !answer.includes(ONE_LINE); tries++) {
    await setImmediate()
    answer = await open()
  }
  if (!answer.includes(ONE_LINE)) throw new Error(`a repeat is not one line: ${answer}`)
  const verifier = await localToken(dataDir)
  if (!verifier.ok) throw new Error('the token of the data directory cannot be read')
  return {
    store,
    gateway,
    caller,
    fetch: (request) => fetch(request),
    token,
    verifier: verifier.value,
    close: async () => {
      await shutDown()
      await rm(dataDir, { recursive: true })
    },
  }
}
