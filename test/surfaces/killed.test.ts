import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { jsonOf, SEEDS, SHOP } from './test-server.ts'
import { serve, type Served } from './server-process.ts'
import { startShopApi, type ShopApi } from './shop-api.ts'

/* What a server that is killed (SIGKILL, no last words) leaves to the next one on the same data. */

let api: ShopApi
beforeAll(async () => void (api = await startShopApi()))
afterAll(() => api.close())

async function start(dataDir: string): Promise<Served> {
  return serve(dataDir, ['--no-shipped', '--catalog', SHOP, '--backend', `shop=${api.url}`])
}

const dataDirOf = () => mkdtemp(join(tmpdir(), 'plasmid-killed-'))

interface Told {
  readonly text: string
  readonly reused: boolean
}

const open = async ({ send }: Served, intent: string, seeds: readonly object[] = SEEDS): Promise<Told> =>
  jsonOf<Told>(await send('POST', '/v1/contexts', { intent, seeds }))

/** Every row of the session's table: the symbols and what they mean. */
const tableOf = async ({ send }: Served, ref = 's0') =>
  (await send('GET', `/v1/contexts/${ref}/table`)).text()

test('killed right after an answer, it kept all of it', async () => {
  const dataDir = await dataDirOf()
  const first = await start(dataDir)
  expect((await open(first, 'lasting')).text).toMatch(/^`s0`\n\n```tsv\n/)
  expect((await open(first, 'another')).text).toMatch(/^`s1`\n/)
  const extended = await open(first, 'lasting', [{ api: 'shop', entity: 'Product' }])
  await first.kill('SIGKILL')

  const next = await start(dataDir)
  const table = await tableOf(next)
  const told = extended.text.split('\n').filter((line) => line.startsWith('e2'))
  expect(told.length).toBeGreaterThan(0)
  for (const line of told) expect(table.split('\n')).toContain(line)
  const again = await open(next, 'lasting', [...SEEDS, { api: 'shop', entity: 'Product' }])
  // Whether the answer had arrived may be lost with the process: it is then taught again, by the same symbols.
  expect(again).toMatchObject({
    reused: true,
    text: expect.stringMatching(/^`s0`\n\n(_Session unchanged \(`e1`…`e2`\)|```tsv\n)/),
  })
  expect(await tableOf(next)).toBe(table)
  expect((await open(next, 'another')).text).toMatch(/^`s1`\n/)
  expect((await open(next, 'a third')).text).toMatch(/^`s2`\n/)
  await next.kill()
}, 120_000)

test('killed in the middle of opening, it is whole or not there', async () => {
  const dataDir = await dataDirOf()
  const first = await start(dataDir)
  await open(first, 'goal 0')
  const cutOff = Array.from({ length: 20 }, (_, index) =>
    open(first, `goal ${index + 1}`).catch(() => undefined),
  )
  await Promise.race(cutOff)
  await first.kill('SIGKILL')
  const answered = (await Promise.all(cutOff)).flatMap((told, index) =>
    told ? [{ intent: `goal ${index + 1}`, ref: told.text.split('\n')[0] }] : [],
  )
  expect(answered.length).toBeGreaterThan(0)

  const next = await start(dataDir)
  for (const { intent, ref } of [{ intent: 'goal 0', ref: '`s0`' }, ...answered]) {
    const again = await open(next, intent)
    expect([again.reused, again.text.split('\n')[0]]).toEqual([true, ref])
  }
  const refs = new Set<string>()
  for (let index = 0; index <= 20; index++)
    refs.add((await open(next, `goal ${index}`)).text.split('\n')[0] ?? '')
  expect(refs.size).toBe(21)
  await next.kill()
}, 120_000)

test('killed in the middle of a read, the session continues', async () => {
  const dataDir = await dataDirOf()
  const first = await start(dataDir)
  await open(first, 'reading')
  const table = await tableOf(first)
  api.hang = true
  const hanging = api.hanging()
  const run = first.send('POST', '/v1/contexts/s0/run', { program: 'e1("c1")[id]' }).catch(() => 'lost')
  await hanging
  await first.kill('SIGKILL')
  expect(await run).toBe('lost')
  api.release()

  const next = await start(dataDir)
  expect(await open(next, 'reading')).toMatchObject({ reused: true, text: expect.stringMatching(/^`s0`\n/) })
  expect(await tableOf(next)).toBe(table)
  const rows = await next.send('POST', '/v1/contexts/s0/run', { program: 'e1("c1")[id]' })
  expect(await rows.json()).toMatchObject({ results: [{ label: 'Customer', rows: [{ id: 'c1' }] }] })
  await next.kill()
}, 120_000)

test('killed in the middle of a write, it never sends it again', async () => {
  const dataDir = await dataDirOf()
  const first = await start(dataDir)
  await open(first, 'writing')
  const program = 'e1("c5").delete()'
  const { plan } = await jsonOf<{ readonly plan: string }>(
    await first.send('POST', '/v1/contexts/s0/plan', { program }),
  )
  const deletes = () => api.requests.filter((request) => request === 'DELETE /v1/customers/c5').length
  api.hang = true
  const hanging = api.hanging()
  const run = first.send('POST', '/v1/contexts/s0/run', { program, plan }).catch(() => 'lost')
  await hanging
  await first.kill('SIGKILL')
  expect([await run, deletes()]).toEqual(['lost', 1])
  api.release()

  const next = await start(dataDir)
  const again = await next.send('POST', '/v1/contexts/s0/run', { program, plan })
  const { code } = await jsonOf<{ readonly code: string }>(again)
  expect([again.status, code, deletes()]).toEqual([409, 'plan_running', 1])
  await next.kill()
}, 120_000)
