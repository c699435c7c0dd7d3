import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { expect, test } from 'vitest'
import { plasmid } from './plasmid.ts'
import { cleanEnv, PLASMID } from './plasmid-process.ts'
import { SHOP } from './test-server.ts'
import { tokenOf } from './auth-test-server.ts'

const newDir = () => mkdtemp(join(tmpdir(), 'plasmid-keys-cli-'))

async function serving(dataDir: string, more: readonly string[], env: Record<string, string> = {}) {
  const flags = ['--port', '0', '--json', '--no-shipped', '--catalog', SHOP, '--data-dir', dataDir, ...more]
  const child = spawn(process.execPath, [PLASMID, 'serve', ...flags], { env: { ...cleanEnv(), ...env } })
  const [stdout, stderr] = [text(child.stdout), text(child.stderr)]
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => ['{}']),
  ])
  const { url = '' }: { readonly url?: string } = JSON.parse(String(line))
  return {
    url,
    ends: async () => {
      child.kill('SIGTERM')
      await once(child, 'exit')
      return `${await stdout}${await stderr}`
    },
  }
}

test('limits a key to what it is for', async () => {
  const add = ['keys', 'add', '--subject', 'ci', '--data-dir', await newDir()]
  expect(await plasmid([...add, '--only', 'mcp', '--only', 'confrm'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(
      'key_bad_surface: A key cannot be limited to `confrm`; did you mean `confirm`? Limit it to `mcp`, `http` or `confirm`, or to several of them.',
    ),
  })
  expect(await plasmid([...add, '--only', 'http', '--only', 'mcp'])).toMatchObject({
    code: 0,
    stderr: expect.stringMatching(/^Key [0-9a-f]{16} "ci" only mcp, http from /),
  })
})

test('makes, lists and revokes a key', async () => {
  const dir = await newDir()
  const made = await plasmid([
    'keys',
    'add',
    '--subject',
    'ci',
    '--tenant',
    'acme',
    '--expires',
    '90d',
    '--data-dir',
    dir,
  ])
  expect([made.code, made.stdout]).toEqual([0, expect.stringMatching(/^plasmid_[0-9a-f]{16}_[\w-]{32}\n$/)])
  const id = made.stdout.slice(8, 24)
  expect(made.stderr).toMatch(
    new RegExp(`^Key ${id} "ci" of "acme" from .* until .*\\. It is shown only this once:\n$`),
  )
  const listed = await plasmid(['keys', 'list', '--data-dir', dir])
  expect(listed.stdout).toMatch(new RegExp(`^${id} "ci" of "acme" from \\S+Z until \\S+Z\n$`))
  const revoked = await plasmid(['keys', 'revoke', id, '--data-dir', dir, '--json'])
  expect(JSON.parse(revoked.stdout)).toMatchObject({ id, tenant: 'acme', subject: 'ci' })
  expect((await plasmid(['keys', 'list', '--data-dir', dir])).stdout).toBe('No keys.\n')
  expect(await plasmid(['keys', 'revoke', id, '--data-dir', dir])).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^key_unknown: /),
  })
})

test('reports what a key needs', async () => {
  const dir = await newDir()
  expect(await plasmid(['keys', 'add', '--data-dir', dir])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('missing_operand'),
  })
  expect(
    await plasmid(['keys', 'add', '--subject', '', '--expires', 'soon', '--data-dir', dir]),
  ).toMatchObject({
    code: 2,
    stderr: expect.stringMatching(/^key_bad_name: [^\n]*\nkey_bad_expiry: /),
  })
  expect(await readdir(dir)).toEqual([])
})

test('refuses to serve when no credential could be accepted', async () => {
  const server = await serving(await newDir(), ['--auth', 'required'])
  expect(server.url).toBe('')
})

test('writes no credential anywhere', async () => {
  const dir = await newDir()
  const secret = 'a shared secret of thirty-two bytes or more'
  const config = join(dir, 'plasmid.yaml')
  const issuer = { issuer: 'https://login.example', audience: 'us', secret: 'env:SHARED_SECRET' }
  const policy = join(dir, 'policy.yaml')
  await writeFile(policy, 'callers: [{ from: keys, catalogs: { shpo: } }]')
  await writeFile(config, JSON.stringify({ jwt: [issuer], policy, log_level: 'debug' }))
  const key = (await plasmid(['keys', 'add', '--subject', 'ci', '--data-dir', dir])).stdout.trim()
  const server = await serving(dir, ['--auth', 'required', '--config', config], { SHARED_SECRET: secret })
  const credentials = [
    key,
    `${key.slice(0, -4)}AAAA`,
    await tokenOf({}),
    'plasmid_nonsense',
    `Xy${'z'.repeat(60)}`,
  ]
  const statuses = await Promise.all(
    credentials.map(
      async (credential) =>
        (await fetch(`${server.url}/v1/registry`, { headers: { authorization: `Bearer ${credential}` } }))
          .status,
    ),
  )
  expect(statuses).toEqual([200, 401, 401, 401, 401])
  await writeFile(policy, 'default: [')
  const broken = await fetch(`${server.url}/v1/registry`, { headers: { authorization: `Bearer ${key}` } })
  expect(broken.status).toBe(503)
  const told = await server.ends()
  expect(told).toContain('policy_unknown_name')
  expect(told).toContain(policy)
  const kept = await Promise.all(
    (await readdir(dir, { recursive: true, withFileTypes: true }))
      .filter((entry) => entry.isFile())
      .map((entry) => readFile(join(entry.parentPath, entry.name), 'latin1')),
  )
  for (const written of [told, await broken.text(), ...kept])
    for (const credential of [...credentials.map((one) => one.slice(-32)), secret])
      expect(written.includes(credential)).toBe(false)
})
