import { spawn, spawnSync, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { createClient } from '@redis/client'
import { endWithUs } from './end-with-us.ts'
import { freePort } from './free-port.ts'

const BINARY = process.env['PLASMID_TEST_REDIS'] ?? 'redis-server'

/** Why tests with a real server are skipped; nothing where they run. In CI they always do. */
export const whyNoRedis: string | undefined =
  process.env['CI'] === undefined && spawnSync(BINARY, ['--version']).status !== 0
    ? `no ${BINARY} found: install Redis 7 or name its binary in PLASMID_TEST_REDIS`
    : undefined

/** A real Redis server on a free port of the loopback, with a folder of its own. */
export class RedisServer {
  readonly port: number
  readonly folder: string
  readonly #settings: readonly string[]
  #process: ChildProcess | undefined

  private constructor(port: number, folder: string, settings: readonly string[]) {
    this.port = port
    this.folder = folder
    this.#settings = settings
  }

  /** @param settings as on the command line; by default nothing is written to the disk */
  static async start(settings: readonly string[] = []): Promise<RedisServer> {
    const folder = await mkdtemp(join(tmpdir(), 'plasmid-redis-'))
    const server = new RedisServer(await freePort(), folder, settings)
    await server.run()
    return server
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`
  }

  /** Starts the process (again), and waits until it answers. */
  async run(): Promise<void> {
    const own = ['--port', String(this.port), '--bind', '127.0.0.1', '--dir', this.folder]
    const child = spawn(BINARY, [...own, '--save', '', '--appendonly', 'no', ...this.#settings], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    this.#process = child
    endWithUs(child, this.folder)
    const said: string[] = []
    for await (const line of createInterface({ input: child.stdout })) {
      said.push(line)
      if (line.includes('Ready to accept connections')) {
        child.stdout.resume()
        return
      }
    }
    throw new Error(`the Redis server did not start:\n${said.join('\n')}`)
  }

  /** Ends the process as a crash would: nothing is written any more. */
  async kill(): Promise<void> {
    const child = this.#process
    if (!child || child.exitCode !== null || child.signalCode !== null) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }

  /** One command on a connection of its own. */
  async command(...words: string[]): Promise<unknown> {
    const client = createClient({ url: this.url })
    client.on('error', () => undefined)
    await client.connect()
    try {
      return await client.sendCommand<unknown>(words)
    } finally {
      client.destroy()
    }
  }

  /** The keys that match the pattern, in order. */
  async keys(pattern: string): Promise<readonly string[]> {
    const keys = await this.command('KEYS', pattern)
    return Array.isArray(keys) ? keys.map(String).toSorted() : []
  }

  async stop(): Promise<void> {
    await this.kill()
    await rm(this.folder, { recursive: true, force: true })
  }
}
