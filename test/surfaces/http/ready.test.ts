import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { readiness } from '../../../src/app/readiness.ts'
import { noPolicy } from '../../../src/adapters/auth/policy-file.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { startTestServer } from '../test-server.ts'

const askAs = async (headers: Record<string, string> = {}) => {
  const server = await startTestServer()
  const answer = await fetch(`${server.url}/v1/ready`, { headers })
  const body: unknown = await answer.json()
  await server.close()
  return { status: answer.status, body }
}

test('a server that can serve is ready, for callers without credentials', async () => {
  expect(await askAs()).toEqual({ status: 200, body: { status: 'ready' } })
})

test('a page of another site learns nothing', async () => {
  expect(await askAs({ 'sec-fetch-site': 'cross-site' })).toMatchObject({
    status: 403,
    body: { code: 'forbidden_site' },
  })
})

test('a policy that cannot be read makes the server unready until it is mended', async () => {
  const policy = join(await mkdtemp(join(tmpdir(), 'plasmid-ready-')), 'policy.yaml')
  await writeFile(policy, 'default: allow')
  const server = await startTestServer({ policy })
  await chmod(policy, 0o666)
  const unready = await fetch(`${server.url}/v1/ready`)
  expect(unready.status).toBe(503)
  expect(await unready.json()).toMatchObject({
    code: 'not_ready',
    detail: expect.stringContaining('failing: policy.'),
  })
  await server.close()
})

test('a store that fails and a full disk are named', async () => {
  const clock = { now: () => 1_000_000 }
  const store = memoryStore({ clock })
  const faulty = readiness({
    config: { store: 'sqlite', dataDir: '/nowhere' },
    store: { ...store, append: () => Promise.reject(new Error('gone')), read: store.read.bind(store) },
    policy: noPolicy,
    clock,
  })
  expect(await faulty()).toEqual(['store', 'disk'])
})
