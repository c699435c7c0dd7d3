import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { RedisServer, whyNoRedis } from '../test/redis-server.ts'
import type { LoadClient } from './client.ts'
import { quantile, type Verdict } from './measure.ts'
import { contextRequest, openUntilRepeated, SECRET } from './server.ts'

const MAIN = fileURLToPath(new URL('../src/main.js', import.meta.url))

/** The ways to run a server that are compared. */
export const DEPLOYMENTS = ['memory', 'sqlite', 'sqlite, 2 workers', 'redis'] as const
type Deployment = (typeof DEPLOYMENTS)[number]

/** Calls that are not measured: until the compiler has settled. */
const WARM_UP = 0.25

/**
 * How many repeated contexts a server of its own answers in a second, over four connections from another process, and how
 * long each waits. Only reported: it depends on the machine.
 */
export async function throughput(
  deployment: Deployment,
  client: LoadClient,
  calls: number,
): Promise<readonly Verdict[]> {
  const isRedis = deployment === 'redis'
  if (isRedis && whyNoRedis !== undefined) return []
  const redis = isRedis ? await RedisServer.start() : undefined
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-bench-'))
  const [kind] = deployment.split(',')
  const workers = deployment.includes('2 workers') ? 2 : 1
  const args = ['--port', '0', '--json', '--data-dir', dataDir, '--store', redis?.url ?? kind ?? '']
  const child = spawn(process.execPath, [MAIN, 'serve', ...args, '--workers', String(workers)], {
    env: { ...process.env, ...SECRET, PLASMID_REQUEST_RATE: 'none', PLASMID_LOG_LEVEL: 'silent' },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  try {
    const [line] = await once(createInterface({ input: child.stdout }), 'line')
    const { url }: { readonly url: string } = JSON.parse(String(line))
    const request = contextRequest(url, (await readFile(join(dataDir, 'token'), 'utf8')).trim())
    await openUntilRepeated(request)
    await client.send(request, Math.ceil(calls * WARM_UP))
    const began = performance.now()
    const waits = await client.send(request, calls)
    const perSecond = (calls * 1000) / (performance.now() - began)
    const [p50, p99] = [quantile(waits, 0.5), quantile(waits, 0.99)]
    const name = `${Math.round(perSecond)} contexts a second over HTTP, p99 / p50`
    return [{ name, store: deployment, ours: p99, base: p50, unit: 'µs', ratio: p99 / p50, holds: true }]
  } finally {
    child.kill()
    await once(child, 'exit')
    await redis?.stop()
    await rm(dataDir, { recursive: true })
  }
}
