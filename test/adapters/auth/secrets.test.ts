import { chmod, mkdtemp, readdir, readFile, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { deploymentSecret } from '../../../src/adapters/auth/deployment-secret.ts'
import { everybody, localToken } from '../../../src/adapters/auth/local-token.ts'
import { secretFile } from '../../../src/adapters/auth/secret-file.ts'

const folder = () => mkdtemp(join(tmpdir(), 'plasmid-auth-'))
const codes = (
  result: Awaited<ReturnType<typeof secretFile>> | Awaited<ReturnType<typeof deploymentSecret>>,
) => (result.ok ? [] : result.problems.map(({ code }) => code))

test('makes one secret for many at once', async () => {
  const path = join(await folder(), 'deeper', 'secret')
  const results = await Promise.all(Array.from({ length: 20 }, () => secretFile(path)))
  expect(new Set(results.map((result) => result.ok && result.value)).size).toBe(1)
  expect(await readFile(path, 'utf8')).toMatch(/^[\w-]{43}\n$/)
  expect((await stat(path)).mode & 0o777).toBe(0o600)
  expect(await readdir(join(path, '..'))).toEqual(['secret'])
})

test('keeps the secret that is there', async () => {
  const path = join(await folder(), 'secret')
  await writeFile(path, `${'k'.repeat(40)}\n`, { mode: 0o600 })
  expect(await secretFile(path)).toEqual({ ok: true, value: 'k'.repeat(40) })
})

test('refuses a secret that others can read', async () => {
  const path = join(await folder(), 'secret')
  await secretFile(path)
  await chmod(path, 0o644)
  expect(codes(await secretFile(path))).toEqual(['secret_readable'])
})

test('refuses a secret that is cut short', async () => {
  const path = join(await folder(), 'secret')
  await writeFile(path, 'abc', { mode: 0o600 })
  expect(codes(await secretFile(path))).toEqual(['secret_too_short'])
})

test('says why a secret cannot be kept', async () => {
  const path = join(await folder(), 'file')
  await writeFile(path, '')
  expect(codes(await secretFile(join(path, 'secret')))).toEqual(['secret_unreadable'])
})

test('takes the secret from the environment, leaving no file', async () => {
  const dir = await folder()
  const result = await deploymentSecret(dir, 'e'.repeat(32))
  expect(result.ok && result.value.export().toString()).toBe('e'.repeat(32))
  expect(await readdir(dir)).toEqual([])
})

test('refuses two different secrets', async () => {
  const dir = await folder()
  const kept = await deploymentSecret(dir, undefined)
  expect(codes(await deploymentSecret(dir, 'e'.repeat(32)))).toEqual(['secret_differs'])
  const same = kept.ok ? kept.value.export().toString() : ''
  expect((await deploymentSecret(dir, same)).ok).toBe(true)
})

test('refuses a short secret from the environment', async () => {
  expect(codes(await deploymentSecret(await folder(), 'short'))).toEqual(['secret_too_short'])
})

test('takes the holder of the token for the local user', async () => {
  const dir = await folder()
  const verifier = await localToken(dir)
  if (!verifier.ok) throw new Error('no token')
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim()
  expect(await verifier.value.verify(token)).toBe(LOCAL_USER)
  for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
    expect(await verifier.value.verify(wrong)).toBeNull()
  }
})

test('takes everybody for the local user where told so', async () => {
  expect(await everybody(() => LOCAL_USER).verify(undefined)).toBe(LOCAL_USER)
})
