import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { endWithUs } from '../../end-with-us.ts'
import { serve } from '../../surfaces/server-process.ts'
import { jsonOf, SEEDS, SHOP } from '../../surfaces/test-server.ts'

/** How nice each thread of a process is, the one that serves first. */
async function niceOf(pid: number): Promise<readonly number[]> {
  const threads = (await readdir(`/proc/${pid}/task`)).toSorted((a, b) => Number(a) - Number(b))
  const stats = await Promise.all(
    threads.map((thread) => readFile(`/proc/${pid}/task/${thread}/stat`, 'utf8')),
  )
  return stats.map((stat) => Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16]))
}

/** An API whose answers are read in a thread. */
async function largeApi(): Promise<string> {
  const path = fileURLToPath(new URL('../../fixtures/load/large-api.mjs', import.meta.url))
  const api = spawn(process.execPath, [path])
  endWithUs(api)
  const [url] = await once(createInterface({ input: api.stdout }), 'line')
  await fetch(`${url}/answer`, {
    method: 'POST',
    body: JSON.stringify({ rows: 1000, cell: 500, kind: 'plain' }),
  })
  return String(url)
}

// Elsewhere a priority belongs to a process.
test.skipIf(process.platform !== 'linux')(
  'threads leave the processor to the one that serves',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-threads-'))
    const url = await largeApi()
    const server = await serve(dataDir, ['--no-shipped', '--catalog', SHOP, '--backend', `shop=${url}`])
    await server.send('POST', '/v1/contexts', { intent: 'x', seeds: SEEDS })
    const answer = await server.send('POST', '/v1/contexts/s0/run', { program: 'e1' })
    expect(await jsonOf(answer)).toMatchObject({ results: [{ rows: { length: 1000 } }] })
    const [serving = NaN, ...others] = await niceOf(server.pid)
    expect(others).toContain(Math.min(19, serving + 5))
    await server.kill()
  },
  60_000,
)
