import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { secretReader } from '../../src/adapters/wire/secrets.ts'
import type { Auth } from '../../src/catalog/auth/auth.ts'
import { api, call, limits, serve, wire } from '../adapters/wire/fixtures.ts'
import { plasmid } from '../surfaces/plasmid.ts'
import { plasmidProcess } from '../surfaces/plasmid-process.ts'
import { SHOP } from '../surfaces/test-server.ts'

const auth: Auth = { scheme: 'bearer', secret: 'env:KEY', optional: false }

/** What comes back of a call with this secret where the API answers with this text. */
async function answered(secret: string, body: string, status = 200, type = 'application/json') {
  const server = await serve((_, response) => response.writeHead(status, { 'content-type': type }).end(body))
  const over = wire({ secrets: secretReader({ KEY: secret }) })
  const sent = await over.send(call(api(server.origin, { auth })), limits())
  expect(server.seen[0]?.headers['authorization']).toBe(`Bearer ${secret}`)
  return JSON.stringify(sent)
}

test.each([
  ['slashes that are escaped', 'ab/cd/ef/gh', String.raw`{"error":"wrong ab\/cd\/ef\/gh"}`],
  ['quotes that are escaped', 'ab"cd"ef"gh', String.raw`{"error":"wrong ab\"cd\"ef\"gh"}`],
  ['characters by their numbers', 'abcdefgh', String.raw`{"error":"wrong \u0061bcdefgh"}`],
  ['a text of JSON in JSON', 'ab/cd"ef', String.raw`{"error":"{\"key\":\"ab\\\/cd\\\"ef\"}"}`],
  ['a part of a URL', 'ab/cd+ef', '{"next":"http://x.example/things?key=ab%2fcd%2Bef"}'],
  ['a key of an object', 'abcdefgh', '{"abcdefgh":1}'],
  ['a number', '12345678', '{"key":12345678}'],
])('a secret is not kept: %s', async (_, secret, body) => {
  const kept = await answered(secret, body)
  expect(kept).toContain('SECRET_REMOVED')
  expect(kept).not.toContain(JSON.stringify(secret).slice(1, -1))
  expect(decodeURIComponent(kept)).not.toContain(secret)
})

test('a short secret is struck out as a word, and no part of another one', async () => {
  const kept = await answered(
    's3c',
    '{"error":"wrong key s3c","title":"xs3cy","next":"/things?key=s3c&page=2"}',
  )
  expect(kept).toContain(
    '"error":"wrong key SECRET_REMOVED","title":"xs3cy","next":"/things?key=SECRET_REMOVED&page=2"',
  )
})

test('a secret is struck out of a plain error', async () => {
  expect(await answered('s3c', 'no such key: s3c', 401, 'text/plain')).toContain(
    'no such key: SECRET_REMOVED',
  )
})

test('the mark of a secret is not written back to the API', async () => {
  const server = await serve((_, response) => response.writeHead(200).end('{}'))
  const over = wire({ secrets: secretReader({ KEY: 'abcdefgh' }) })
  const catalog = api(server.origin, { auth })
  const marked = 'the SECRET_REMOVED of bob'
  for (const changes of [
    { body: { format: 'json', value: { note: [marked] } } },
    { query: [['note', marked]] },
    { target: { path: '/SECRET_REMOVED' } },
  ] as const) {
    const sent = await over.send(call(catalog, { method: 'POST', ...changes }), limits())
    expect(sent).toMatchObject({ ok: false, failure: { sent: 'no', problem: { code: 'secret_struck' } } })
  }
  expect(server.seen).toEqual([])
})

test('an answer of escapes takes no time', async () => {
  const began = performance.now()
  await answered('ab/cd/ef/gh', JSON.stringify({ text: '\\'.repeat(200_000) }))
  expect(performance.now() - began).toBeLessThan(5000)
})

/** The fixture with a secret of this name. */
async function needing(env: string): Promise<string> {
  const copy = join(await mkdtemp(join(tmpdir(), 'plasmid-secret-')), 'shop')
  await cp(SHOP, copy, { recursive: true })
  const path = join(copy, 'domain.yaml')
  const text = await readFile(path, 'utf8')
  await writeFile(path, text.replace('scheme: none', `scheme: bearer_token\n  env: ${JSON.stringify(env)}`))
  return copy
}

const SETUP = ['--no-shipped', '--store', 'memory', '--port', '0'] as const

test('a secret that is missing is named before anything is called', async () => {
  const catalog = await needing('SHOP_TOKEN')
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-doctor-'))
  const checked = await plasmid(['catalog', 'check', catalog])
  const examined = await plasmid(['doctor', '--catalog', catalog, '--data-dir', dataDir, ...SETUP])
  for (const { stdout } of [checked, examined]) expect(stdout).toContain('`env:SHOP_TOKEN`')
  const isSet = await plasmid(['catalog', 'check', catalog], '', { SHOP_TOKEN: 'x' })
  expect(isSet.stdout).not.toContain('secret_unset')
})

test.each(['s3cr3t!', 'sk_live_abcdefgh', 'AKIAIOSFODNN7EXAMPLE'])(
  'a secret in place of its name is never printed: %s',
  async (pasted) => {
    const catalog = await needing(pasted)
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-pasted-'))
    const engine = ['--catalog', catalog, '--data-dir', dataDir, '--no-shipped', '--store', 'memory']
    const seen = [
      await plasmid(['catalog', 'check', catalog]),
      await plasmid(['doctor', ...engine, '--port', '0']),
      await plasmidProcess(['mcp', ...engine]),
    ]
    const context = await plasmid(['context', '--intent', 'x', '--seed', 'shop:Customer', ...engine])
    expect(context.stdout + context.stderr).not.toContain(pasted)
    for (const { stdout, stderr } of seen) {
      expect(stdout + stderr).toContain('`env:…` (not shown: it looks like a secret itself)')
      expect(stdout + stderr).not.toContain(pasted)
    }
  },
)
