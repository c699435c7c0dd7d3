import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnv, PLASMID } from './plasmid-process.ts'

/** `plasmid serve`, as its users start it. */
export interface Served {
  readonly pid: number
  readonly url: string
  readonly token: string
  /** A request with the token; objects as bodies are sent as JSON. */
  readonly send: (
    method: string,
    path: string,
    body?: string | object,
    headers?: Record<string, string>,
  ) => Promise<Response>
  /** Ends the process and waits until it is gone. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

/** Starts a server on a port of its own. */
export async function serve(
  dataDir: string,
  flags: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<Served> {
  const args = ['serve', '--port', '0', '--json', '--data-dir', dataDir, ...flags]
  const child = spawn(process.execPath, [PLASMID, ...args], { env: { ...cleanEnv(), ...env } })
  const gone = once(child, 'exit')
  child.stderr.resume()
  const reader = createInterface({ input: child.stdout })
  const [line] = await Promise.race([once(reader, 'line'), gone])
  const { url }: { readonly url: string } = JSON.parse(String(line))
  // Where credentials are keys and tokens, there is none.
  const token = await readFile(join(dataDir, 'token'), 'utf8').then(
    (held) => held.trim(),
    () => '',
  )
  return {
    pid: child.pid ?? 0,
    url,
    token,
    send: (method, path, body, headers = {}) => {
      const isJson = typeof body === 'object'
      return fetch(`${url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${token}`,
          ...(isJson && { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(body !== undefined && { body: isJson ? JSON.stringify(body) : body }),
      })
    },
    kill: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await gone
    },
  }
}
