import { once } from 'node:events'
import { reasonOf } from '../../../base/errors.ts'
import { type Command, withServer } from '../command.ts'
import type { Given } from '../flags.ts'
import { SERVER_FLAGS, settingsOf } from '../setting-flags.ts'
import { interrupted } from '../interrupted.ts'
import type { OpenEngine, CliDependencies, Workers } from '../dependencies.ts'
import { EXIT, type Exit } from '../exit.ts'
import { GRACE_MS } from '../grace.ts'
import { print, refuse, say } from '../output.ts'
import { cliProblem } from '../problems.ts'

export const serve: Command = {
  name: 'serve',
  flags: SERVER_FLAGS,
  run: async (given, dependencies) => {
    const workers = await dependencies.workers(settingsOf(given))
    if (!workers.ok) return refuse(workers.problems, given.on('json'))
    if (workers.value) return superviseUntilStopped(workers.value, given)
    const { worker } = dependencies
    return worker
      ? withServer(given, dependencies, (engine) => workUntilStopped(engine, worker, given))
      : withServer(given, dependencies, (engine) => serveUntilStopped(engine, given))
  },
}

async function superviseUntilStopped(workers: Workers, given: Given): Promise<Exit> {
  const stop = interrupted()
  stop.addEventListener('abort', () => {
    say('Ending: requests under way may finish')
    workers.end()
  })
  const url = await workers.listening
  warnAboutRoot()
  if (url !== undefined) printUrl(url, given, { workers: workers.count })
  return (await workers.ended) ? EXIT.ok : EXIT.problem
}

async function workUntilStopped(
  engine: OpenEngine,
  { announce, ending }: NonNullable<CliDependencies['worker']>,
  given: Given,
): Promise<Exit> {
  const server = await listenOf(engine)
  if (!('close' in server)) return refuse([server], given.on('json'))
  announce(server.url)
  if (!ending.aborted) await once(ending, 'abort')
  await server.close(GRACE_MS)
  return EXIT.ok
}

/** The server, or why the address cannot be had. */
function listenOf(engine: OpenEngine) {
  return engine.listen().catch((error: unknown) => {
    const reason = reasonOf(error)
    return cliProblem('cannot_listen', { ...engine.address, reason })
  })
}

/** Answers of APIs, catalogs and programs come from outside: a server needs no right to the whole machine. */
function warnAboutRoot(): void {
  if (process.getuid?.() === 0) say('Warning: the server runs as root. Run it as a user of its own.')
}

function printUrl(url: string, given: Given, more: object = {}): void {
  if (given.on('json')) print(`${JSON.stringify({ url, pid: process.pid, ...more })}\n`)
  else print(`Plasmid listens on ${url} (MCP: ${url}/mcp)\n`)
}

async function serveUntilStopped(engine: OpenEngine, given: Given): Promise<Exit> {
  const stop = interrupted()
  const server = await listenOf(engine)
  if (!('close' in server)) return refuse([server], given.on('json'))
  warnAboutRoot()
  printUrl(server.url, given)
  if (!stop.aborted) await once(stop, 'abort')
  say('Ending: requests under way may finish')
  await server.close(GRACE_MS)
  return EXIT.ok
}
