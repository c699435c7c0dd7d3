import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { jsonOf, SEEDS, SHOP } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

let api: ShopApi
beforeAll(async () => {
  api = await startShopApi()
})
afterAll(() => api.close())

async function start(dataDir: string) {
  const flags = ['--port', '0', '--json', '--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`]
  const child = spawn(process.execPath, [PLASMID, 'serve', '--data-dir', dataDir, ...flags], {
    env: cleanEnv(),
  })
  const stderr = text(child.stderr)
  const lines: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => lines.push(line))
  await Promise.race([once(reader, 'line'), once(child, 'exit')])
  const { url, pid }: { readonly url: string; readonly pid: number } = JSON.parse(lines[0] ?? '{}')
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  const post = (path: string, body: object) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
    })
  return { child, lines, url, pid, post, stderr }
}

test('serves until a signal ends it', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-serve-'))
  const server = await start(dataDir)
  expect(server.lines.map((line) => Object.keys(JSON.parse(line)))).toEqual([['url', 'pid']])
  expect(server.pid).toBe(server.child.pid)
  expect((await stat(join(dataDir, 'token'))).mode & 0o777).toBe(0o600)
  expect((await fetch(`${server.url}/v1/health`)).status).toBe(200)
  const opened = await jsonOf(await server.post('/v1/contexts', { intent: 'lasting', seeds: SEEDS }))

  const port = new URL(server.url).port
  const second = await plasmid(['serve', '--port', port, '--data-dir', dataDir, '--no-shipped'])
  expect([second.code, second.stderr]).toEqual([
    1,
    expect.stringMatching(/^cannot_listen: Cannot listen on 127\.0\.0\.1:\d+: /),
  ])

  server.child.kill('SIGTERM')
  expect(await once(server.child, 'exit')).toEqual([0, null])
  expect(server.lines.length).toBe(1)

  const next = await start(dataDir)
  const again = await jsonOf(await next.post('/v1/contexts', { intent: 'lasting', seeds: SEEDS }))
  expect([opened, again]).toMatchObject([
    { reused: false },
    { reused: true, _meta: { plasm: { logical_session_ref: 's0' } } },
  ])
  next.child.kill('SIGINT')
  expect(await once(next.child, 'exit')).toEqual([0, null])
}, 60_000)

test('lets a run that is under way end', async () => {
  const server = await start(await mkdtemp(join(tmpdir(), 'plasmid-serve-')))
  await server.post('/v1/contexts', { intent: 'x', seeds: SEEDS })
  api.hang = true
  const hanging = api.hanging()
  const run = server.post('/v1/contexts/s0/run', { program: 'e1.limit(1)[id]' })
  await hanging
  server.child.kill('SIGTERM')
  await expect
    .poll(async () => (await fetch(`${server.url}/v1/health`).catch(() => undefined)) === undefined)
    .toBe(true)
  api.release()
  expect((await run).status).toBe(200)
  expect(await once(server.child, 'exit')).toEqual([0, null])
}, 60_000)
