import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { portOf } from './port.ts'

/** A process that we started and that is ready. */
export interface Running {
  readonly pid: number
  readonly kill: (signal: 'SIGTERM' | 'SIGKILL') => Promise<void>
}

/** The root of the built project: this file is `dist/test/demo/processes.js`. */
const root = fileURLToPath(new URL('../../../', import.meta.url))
/** The command that users call `plasmid`. */
export const PLASMID = join(root, 'dist/src/main.js')

/** Serves `data` by json-server, as its users do, on a port that is free. */
export async function startShop(folder: string, data: object): Promise<Running & { readonly port: number }> {
  const file = join(folder, 'db.json')
  await writeFile(file, JSON.stringify(data))
  const port = await freePort()
  const bin = join(root, 'node_modules/json-server/lib/cli/bin.js')
  const child = spawn(process.execPath, [bin, '--host', '127.0.0.1', '--port', String(port), file], {
    cwd: folder,
  })
  await lineOf(child, (line) => line.includes('Type s + enter'))
  return { ...running(child), port }
}

/** A configuration that names an MCP server, the knowledge graph of the protocol's authors: the path of its file. */
export async function memoryConfig(folder: string): Promise<string> {
  const program = join(root, 'node_modules/@modelcontextprotocol/server-memory/dist/index.js')
  const memory = {
    command: process.execPath,
    args: [program],
    env: { MEMORY_FILE_PATH: join(folder, 'memory.jsonl') },
    reads: 'annotated',
  }
  const file = join(folder, 'plasmid.yaml')
  await writeFile(file, JSON.stringify({ mcp_servers: { memory } }), { mode: 0o600 })
  return file
}

/** Serves Plasmid over HTTP by its command line. */
export async function startPlasmid(options: readonly string[]): Promise<Running & { readonly url: string }> {
  const child = spawn(process.execPath, [PLASMID, 'serve', '--json', ...options])
  const line = await lineOf(child, (one) => one.startsWith('{'))
  const { url }: { readonly url: string } = JSON.parse(line)
  return { ...running(child), url }
}

function running(child: ChildProcessWithoutNullStreams): Running {
  const gone = once(child, 'exit')
  return {
    pid: child.pid ?? 0,
    kill: async (signal) => {
      child.kill(signal)
      await gone
    },
  }
}

/** The first line of output that fits; a process that ends before has failed, and says why. */
async function lineOf(
  child: ChildProcessWithoutNullStreams,
  fits: (line: string) => boolean,
): Promise<string> {
  let complaints = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (complaints += text))
  for await (const line of createInterface({ input: child.stdout })) {
    if (fits(line)) {
      // Whatever comes later is of no interest, but has to flow.
      child.stdout.resume()
      return line
    }
  }
  throw new Error(`${child.spawnargs.slice(1).join(' ')} ended before it was ready: ${complaints.trim()}`)
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const port = portOf(server)
  server.close()
  await once(server, 'close')
  return port
}
