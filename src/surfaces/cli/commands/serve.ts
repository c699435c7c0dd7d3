import { once } from 'node:events'
import { type Command, withEngine } from '../command.ts'
import { ENGINE_FLAGS, type Given } from '../flags.ts'
import { interrupted } from '../interrupted.ts'
import type { Engine } from '../outfit.ts'
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
  run: async (given, outfit) => {
    const port = given.text('port')
    if (port !== undefined && (!/^\d{1,5}$/.test(port) || Number(port) > 65_535)) {
      const problem = cliProblem('bad_value', {
        flag: '--port',
        wanted: 'a number from 0 to 65535',
        actual: port,
      })
      return refuse([problem], given.on('json'), EXIT.usage)
    }
    return withEngine(given, outfit, (engine) => serveUntilStopped(engine, given), {
      host: given.text('host'),
      port: port === undefined ? undefined : Number(port),
      auth: given.text('auth'),
      allowed_hosts: given.on('allow-host') ? given.texts('allow-host') : undefined,
      allow_unauthenticated: given.on('allow-unauthenticated') ? true : undefined,
    })
  },
}

async function serveUntilStopped(engine: Engine, given: Given): Promise<Exit> {
  const stop = interrupted()
  const server = await engine.listen().catch((error: unknown) => {
    const reason = error instanceof Error ? error.message : String(error)
    return cliProblem('cannot_listen', { ...engine.address, reason })
  })
  if (!('close' in server)) return refuse([server], given.on('json'), EXIT.problem)
  if (given.on('json')) print(`${JSON.stringify({ url: server.url, pid: process.pid })}\n`)
  else print(`Plasmid listens on ${server.url} (MCP: ${server.url}/mcp)\n`)
  if (!stop.aborted) await once(stop, 'abort')
  say('Ending: requests under way may finish')
  await server.close(GRACE_MS)
  return EXIT.ok
}
