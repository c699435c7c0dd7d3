import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile } from 'node:fs/promises'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { endWithUs } from '../../end-with-us.ts'
import { RedisServer, whyNoRedis } from '../../redis-server.ts'
import { cleanEnv, PLASMID, plasmidProcess } from '../plasmid-process.ts'
import { SEEDS, SHOP } from '../test-server.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'

let api: ShopApi
let redis: RedisServer | undefined
beforeAll(async () => {
  api = await startShopApi()
  if (whyNoRedis === undefined) redis = await RedisServer.start()
})
afterAll(async () => {
  await api.close()
  await redis?.stop()
})

interface Line {
  readonly msg?: string
  readonly pid?: number
  readonly worker?: number
}

/** Two workers on a free port, each request to them over a connection of its own. */
async function start(
  store: string,
  catalogs = ['--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`],
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-workers-'))
  const flags = [...catalogs, '--store', store]
  const args = ['serve', '--workers', '2', '--port', '0', '--json', '--data-dir', dataDir, ...flags]
  const child = spawn(process.execPath, [PLASMID, ...args], {
    env: { ...cleanEnv(), PLASMID_SECRET: 'a-secret-of-this-test-only' },
  })
  endWithUs(child)
  const said: string[] = []
  createInterface({ input: child.stderr }).on('line', (line) => said.push(line))
  const out: string[] = []
  const reader = createInterface({ input: child.stdout }).on('line', (line) => out.push(line))
  await Promise.race([once(reader, 'line'), once(child, 'exit')])
  const { url }: { readonly url: string } = JSON.parse(out[0] ?? '{}')
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  const send = async (method: string, path: string, body?: object): Promise<string> => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
    const sent = request(`${url}${path}`, { method, headers, agent: false })
    sent.end(body && JSON.stringify(body))
    const [answer] = await once(sent, 'response')
    return text(answer)
  }
  const open = async (): Promise<{ readonly text: string; readonly reused: boolean }> =>
    JSON.parse(await send('POST', '/v1/contexts', { intent: 'shared', seeds: SEEDS }))
  /** The processes that answered, by worker. */
  const answering = () => {
    const lines = said.filter((line) => line.startsWith('{')).map((line): Line => JSON.parse(line))
    return new Map(
      lines.flatMap(({ msg, pid, worker }) => (msg === 'request' ? [[worker ?? 0, pid ?? 0]] : [])),
    )
  }
  return { child, dataDir, said, out, url, send, open, answering }
}

const TABLE = /^`s0`\n\n```tsv\n/
const UNCHANGED = /^`s0`\n\n_Session unchanged/

/** Both kinds of store that processes share. */
describe.for(['sqlite', 'redis'])('two workers over %s', (kind) => {
  const store = () => (kind === 'redis' ? (redis?.url ?? '') : kind)

  test.skipIf(kind === 'redis' && whyNoRedis !== undefined)(
    'share each session and survive the death of one',
    async () => {
      const server = await start(store())
      expect(server.out).toEqual([JSON.stringify({ url: server.url, pid: server.child.pid, workers: 2 })])

      expect((await server.open()).text).toMatch(TABLE)
      const again: string[] = []
      while (again.length < 30) again.push((await server.open()).text)
      expect(again.filter((answer) => !UNCHANGED.test(answer))).toEqual([])
      await expect.poll(() => [...server.answering().keys()].toSorted((a, b) => a - b)).toEqual([1, 2])

      const counted = await server.send('GET', '/metrics')
      expect(counted).toContain('plasmid_requests_total{request="context",outcome="ok"} 31\n')

      const victim = server.answering().get(1) ?? 0
      let lost = 0
      const calls = Array.from({ length: 40 }, async (_, index) => {
        if (index === 10) process.kill(victim, 'SIGKILL')
        await server.open().then(
          (answer) => expect(answer.text).toMatch(UNCHANGED),
          () => lost++,
        )
      })
      await Promise.all(calls)
      expect(lost).toBeLessThan(40)
      expect((await server.open()).text).toMatch(UNCHANGED)
      await expect
        .poll(
          async () => {
            await server.open()
            return server.answering().has(3)
          },
          { timeout: 30_000 },
        )
        .toBe(true)
      expect(server.said.filter((line) => line.startsWith('Worker'))).toEqual([
        `Worker 1 (process ${victim}) ended by SIGKILL: another starts in 100 ms`,
      ])

      server.child.kill('SIGTERM')
      expect(await once(server.child, 'exit')).toEqual([0, null])
      expect([server.out.length, server.said.filter((line) => line.startsWith('Ending'))]).toEqual([
        1,
        ['Ending: requests under way may finish'],
      ])
    },
    120_000,
  )
})

test('each worker takes up a catalog that is added', async () => {
  const { child, dataDir, send, answering } = await start('sqlite', [])
  const served = async () => {
    const { entries }: { readonly entries: readonly { readonly entry_id: string }[] } = JSON.parse(
      await send('GET', '/v1/registry'),
    )
    return entries.map(({ entry_id: id }) => id)
  }
  while (answering().size < 2) expect(await served()).toContain('bazaar')
  const document = fileURLToPath(new URL('../../fixtures/openapi/harbour.json', import.meta.url))
  const added = await plasmidProcess(['add', document, '--id', 'quay', '--no-try', '--data-dir', dataDir])
  expect([added.code, added.stderr]).toEqual([0, ''])
  // Each request goes to either of them.
  const inARow = async () => {
    const answers: boolean[] = []
    while (answers.length < 12) answers.push((await served()).includes('quay'))
    return answers.every((has) => has)
  }
  await expect.poll(inARow, { timeout: 30_000 }).toBe(true)
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([0, null])
}, 60_000)

/** A run that waits for the API, in one of two workers. */
async function hangingRun() {
  const server = await start('sqlite')
  await server.open()
  api.hang = true
  const hanging = api.hanging()
  const run = server
    .send('POST', '/v1/contexts/s0/run', { program: 'e1.limit(1)[id]' })
    .catch(() => 'cut off')
  await hanging
  return { ...server, run }
}

const isGone = ({ pid = 0 }: Pick<ChildProcess, 'pid'>) => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

test('a signal lets runs of every worker finish', async () => {
  const { child, said, run } = await hangingRun()
  child.kill('SIGTERM')
  await expect.poll(() => said).toContain('Ending: requests under way may finish')
  api.release()
  expect(JSON.parse(await run)).toMatchObject({ results: [{ rows: [{ id: 'c1' }] }] })
  expect(await once(child, 'exit')).toEqual([0, null])
}, 60_000)

test('a second signal ends every worker at once', async () => {
  const { child, said, run, answering } = await hangingRun()
  await expect.poll(() => answering().size).toBeGreaterThan(0)
  const pids = [...answering().values()]
  child.kill('SIGTERM')
  await expect.poll(() => said).toContain('Ending: requests under way may finish')
  child.kill('SIGTERM')
  expect(await once(child, 'exit')).toEqual([130, null])
  expect(await run).toBe('cut off')
  await expect.poll(() => pids.every((pid) => isGone({ pid }))).toBe(true)
  api.release()
}, 60_000)

test('workers end when their supervisor is killed', async () => {
  const { child, open, answering } = await start('sqlite')
  while (answering().size < 2) await open()
  child.kill('SIGKILL')
  await expect.poll(() => [...answering().values()].every((pid) => isGone({ pid }))).toBe(true)
}, 60_000)

test('a store in memory is refused, and a taken port is reported once', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-workers-'))
  const args = ['serve', '--workers', '2', '--no-shipped', '--data-dir', dataDir]
  expect(await plasmidProcess([...args, '--store', 'memory'])).toEqual({
    code: 1,
    stdout: '',
    stderr:
      'workers_need_store: `workers: 2` needs a store that processes share, but each process has its own `memory` store. Choose `--store sqlite` or `--store redis`, or `--workers 1`.\n',
  })
  const taken = new URL(api.url).port
  const refused = await plasmidProcess([...args, '--port', taken])
  expect([refused.code, refused.stdout]).toEqual([1, ''])
  expect(refused.stderr.match(/cannot_listen/g)).toHaveLength(1)
}, 60_000)
