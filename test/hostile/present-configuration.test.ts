import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { serveHere } from '../surfaces/server-here.ts'
import type { Server } from '../surfaces/server-process.ts'
import { type ShopApi, startShopApi } from '../surfaces/shop-api.ts'
import { SEEDS, SHOP } from '../surfaces/test-server.ts'

// Each of them starts two servers.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 60_000 })

let api: ShopApi
let other: ShopApi
const running: Server[] = []

beforeAll(async () => {
  ;[api, other] = await Promise.all([startShopApi(), startShopApi()])
})
afterAll(async () => {
  await Promise.all(running.map((server) => server.kill()))
  await Promise.all([api.close(), other.close()])
})

const folder = (name: string) => mkdtemp(join(tmpdir(), `plasmid-${name}-`))

/** A server on this data directory, with these catalogs and nothing else. */
async function start(dataDir: string, ...flags: readonly string[]): Promise<Server> {
  const server = await serveHere(dataDir, ['--no-shipped', '--store', 'sqlite', ...flags])
  running.push(server)
  return server
}

async function open(server: Server, intent: string): Promise<{ readonly text: string }> {
  const reply = await server.send('POST', '/v1/contexts', { intent, seeds: SEEDS })
  return { text: await reply.text() }
}

async function run(server: Server, program: string, plan?: string) {
  const reply = await server.send('POST', '/v1/contexts/s0/run', { program, ...(plan && { plan }) })
  return { status: reply.status, text: await reply.text() }
}

/** The fixture with a part of a file replaced. */
async function changed(file: string, from: RegExp, to: string): Promise<string> {
  const copy = join(await folder('catalog'), 'shop')
  await cp(SHOP, copy, { recursive: true })
  const path = join(copy, file)
  const text = await readFile(path, 'utf8')
  if (!from.test(text)) throw new Error(`${file} does not match ${from}`)
  await writeFile(path, text.replace(from, to))
  return copy
}

test('a catalog that is no longer served is not called', async () => {
  const dataDir = await folder('gone')
  const first = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${api.url}`)
  await open(first, 'gone')
  expect((await run(first, 'e1("c1")')).text).toContain('Customer 1')
  await first.kill()
  const second = await serveHere(dataDir, ['--store', 'sqlite'])
  running.push(second)
  const before = api.requests.length
  const refused = await run(second, 'e1("c2")')
  expect(api.requests.length).toBe(before)
  expect(refused.text).toContain('catalog_gone')
  expect(refused.text).not.toContain('Customer 2')
  const planned = await second.send('POST', '/v1/contexts/s0/plan', { program: 'e1("c2").delete()' })
  expect(await planned.text()).toContain('catalog_gone')
})

test('a capability that was deleted is not called, and the next table is without it', async () => {
  const dataDir = await folder('capability')
  const first = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${api.url}`)
  await open(first, 'deleted')
  const planned = await first.send('POST', '/v1/contexts/s0/plan', { program: 'e1("c4").delete()' })
  const { plan } = JSON.parse(await planned.text())
  await first.kill()
  const without = await changed('domain.yaml', /\n {2}customer_delete:.*/, '')
  const second = await start(dataDir, '--catalog', without, '--backend', `shop=${api.url}`)
  const before = api.requests.length
  const refused = await run(second, 'e1("c4").delete()', plan)
  expect(api.requests.length).toBe(before)
  expect(refused.text).toContain('capability_gone')
  // What is still there goes on in the same session.
  expect((await run(second, 'e1("c2")')).text).toContain('Customer 2')
  expect((await open(second, 'deleted')).text).not.toContain('delete()')
})

test('the address of the present backend is called, and symbols stay', async () => {
  const dataDir = await folder('moved')
  const first = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${api.url}`)
  await open(first, 'moved')
  const paged = await run(first, 'e1[id, name]')
  expect(paged.text).toContain('s0_pg1')
  await first.kill()
  const second = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${other.url}`)
  const before = [api.requests.length, other.requests.length] as const
  expect((await run(second, 'e1("c2")')).text).toContain('Customer 2')
  expect((await run(second, 'page(s0_pg1)')).text).toContain('Customer 4')
  expect([api.requests.length - before[0], other.requests.length - before[1]]).toEqual([0, 2])
  expect(JSON.parse((await open(second, 'moved')).text)).toMatchObject({ reused: true })
})

test('two processes with backends of their own neither call each other nor void a table', async () => {
  const dataDir = await folder('two')
  const one = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${api.url}`)
  const two = await start(dataDir, '--catalog', SHOP, '--backend', `shop=${other.url}`)
  await open(one, 'two')
  for (const [server, own, foreign] of [
    [one, api, other],
    [two, other, api],
    [one, api, other],
  ] as const) {
    const before = [own.requests.length, foreign.requests.length] as const
    expect(JSON.parse((await open(server, 'two')).text)).toMatchObject({ reused: true })
    expect((await run(server, 'e1("c3")')).text).toContain('Customer 3')
    expect([own.requests.length - before[0], foreign.requests.length - before[1]]).toEqual([1, 0])
  }
})
