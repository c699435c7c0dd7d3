import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { cleanEnv, PLASMID } from './plasmid-process.ts'

/** A server of `plasmid serve`. */
export interface Server {
  readonly url: string
  readonly token: string
  /** A request with the token; objects as bodies are sent as JSON. */
  readonly send: (
    method: string,
    path: string,
    body?: string | object,
    headers?: Record<string, string>,
  ) => Promise<Response>
  /** Ends the server, where it has a process of its own by this signal, and waits until it is gone. */
  readonly kill: (signal?: NodeJS.Signals) => Promise<void>
}

/** One in a process of its own, as its users start it. */
export interface Served extends Server {
  readonly pid: number
}

/** Starts a server on a port of its own, in a process of its own; most tests need none and use `serveHere`. */
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
  return {
    pid: child.pid ?? 0,
    ...(await reachedAt(url, dataDir)),
    kill: async (signal = 'SIGTERM') => {
      child.kill(signal)
      await gone
    },
  }
}

/** How requests reach the server at this address. */
export async function reachedAt(url: string, dataDir: string): Promise<Omit<Server, 'kill'>> {
  // Where credentials are keys and tokens, there is none.
  const token = await readFile(join(dataDir, 'token'), 'utf8').then(
    (held) => held.trim(),
    () => '',
  )
  return {
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
  }
}
