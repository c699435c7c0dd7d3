import { once } from 'node:events'
import { type Command, engineSettings, withEngine } from '../command.ts'
import { ENGINE_FLAGS, type Given } from '../flags.ts'
import { interrupted } from '../interrupted.ts'
import type { Engine, CliDependencies, Workers } from '../dependencies.ts'
import { EXIT, print, refuse, say, type Exit } from '../output.ts'
import { cliProblem } from '../problems.ts'

/** How long requests under way may take to end once the process is told to. */
const GRACE_MS = 10_000

export const serve: Command = {
  name: 'serve',
  description: 'Serve HTTP, and MCP over HTTP at /mcp',
  flags: {
    host: { value: 'ADDRESS', description: 'Where to listen (default: 127.0.0.1)' },
    port: { value: 'PORT', description: 'Default: 7750; 0: any that is free' },
    workers: {
      value: 'N|auto',
      description: 'Processes that answer on the port; auto: one a core (default: 1)',
    },
    auth: {
      value: 'token|required|optional|off',
      description:
        'token: that of the data directory; required: API keys and tokens; off: whoever reaches the port is you',
    },
    'allow-host': {
      value: 'NAME',
      repeatable: true,
      description: 'A name that requests may call this server by',
    },
    'allow-unauthenticated': { description: 'Agree to `--auth off` or `optional` beyond loopback' },
    ...ENGINE_FLAGS,
  },
  run: async (given, dependencies) => {
    const port = given.text('port')
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
      const problem = cliProblem('bad_value', {
        flag: '--port',
        wanted: 'a number from 0 to 65535',
        actual: port,
      })
      return refuse([problem], given.on('json'), EXIT.usage)
    }
    const settings = {
      host: given.text('host'),
      port: port === undefined ? undefined : Number(port),
      auth: given.text('auth'),
      allowed_hosts: given.on('allow-host') ? given.texts('allow-host') : undefined,
      allow_unauthenticated: given.on('allow-unauthenticated') ? true : undefined,
      workers: countOf(given.text('workers')),
    }
    const flags = { ...engineSettings(given), ...settings }
    const workers = await dependencies.workers({ flags, file: given.text('config') })
    if (!workers.ok) return refuse(workers.problems, given.on('json'), EXIT.problem)
    if (workers.value) return superviseUntilStopped(workers.value, given)
    const { worker } = dependencies
    return worker
      ? withEngine(given, dependencies, (engine) => workUntilStopped(engine, worker, given), settings)
      : withEngine(given, dependencies, (engine) => serveUntilStopped(engine, given), settings)
  },
}

/** A number, or a word for the settings to judge. */
function countOf(workers: string | undefined): number | string | undefined {
  return workers !== undefined && /^\d{1,5}$/.test(workers) ? Number(workers) : workers
}

async function superviseUntilStopped(workers: Workers, given: Given): Promise<Exit> {
  const stop = interrupted()
  stop.addEventListener('abort', () => {
    say('Ending: requests under way may finish')
    workers.end()
  })
  const url = await workers.listening
  if (url !== undefined) printUrl(url, given, { workers: workers.count })
  return (await workers.ended) ? EXIT.ok : EXIT.problem
}

async function workUntilStopped(
  engine: Engine,
  { announce, ending }: NonNullable<CliDependencies['worker']>,
  given: Given,
): Promise<Exit> {
  const server = await listenOf(engine)
  if (!('close' in server)) return refuse([server], given.on('json'), EXIT.problem)
  announce(server.url)
  if (!ending.aborted) await once(ending, 'abort')
  await server.close(GRACE_MS)
  return EXIT.ok
}

/** The server, or why the address cannot be had. */
function listenOf(engine: Engine) {
  return engine.listen().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    return cliProblem('cannot_listen', { ...engine.address, reason })
  })
}

function printUrl(url: string, given: Given, more: object = {}): void {
  if (given.on('json')) print(`${JSON.stringify({ url, pid: process.pid, ...more })}\n`)
  else print(`Plasmid listens on ${url} (MCP: ${url}/mcp)\n`)
}

async function serveUntilStopped(engine: Engine, given: Given): Promise<Exit> {
  const stop = interrupted()
  const server = await listenOf(engine)
  if (!('close' in server)) return refuse([server], given.on('json'), EXIT.problem)
  printUrl(server.url, given)
  if (!stop.aborted) await once(stop, 'abort')
  say('Ending: requests under way may finish')
  await server.close(GRACE_MS)
  return EXIT.ok
}
