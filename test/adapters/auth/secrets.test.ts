import { chmod, mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { deploymentSecrets } from '../../../src/adapters/auth/deployment-secret.ts'
import { everybody, localToken } from '../../../src/adapters/auth/local-token.ts'
import { secretFile } from '../../../src/adapters/auth/secret-file.ts'

const folder = () => mkdtemp(join(tmpdir(), 'plasmid-auth-'))
const codes = (
  result: Awaited<ReturnType<typeof secretFile>> | Awaited<ReturnType<typeof deploymentSecrets>>,
) => (result.ok ? [] : result.problems.map(({ code }) => code))

const texts = (result: Awaited<ReturnType<typeof deploymentSecrets>>) =>
  result.ok
    ? result.value.map((secret) => (typeof secret === 'string' ? secret : secret.export().toString()))
    : []

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
  const result = await deploymentSecrets(dir, 'e'.repeat(32))
  expect(texts(result)).toEqual(['e'.repeat(32)])
  expect(await readdir(dir)).toEqual([])
})

test('refuses to lose the secret of the file', async () => {
  const dir = await folder()
  const [kept = ''] = texts(await deploymentSecrets(dir, undefined))
  expect(codes(await deploymentSecrets(dir, 'e'.repeat(32)))).toEqual(['secret_differs'])
  expect(texts(await deploymentSecrets(dir, kept))).toEqual([kept])
  // Changed: the new one makes, the old one still finds.
  const [e, f] = ['e'.repeat(32), 'f'.repeat(32)]
  expect(texts(await deploymentSecrets(dir, `${e} ${kept}`))).toEqual([e, kept])
  await writeFile(join(dir, 'secret'), `${f}\n${kept}\n`)
  expect(texts(await deploymentSecrets(dir, undefined))).toEqual([f, kept])
  expect(codes(await deploymentSecrets(dir, `${e} ${kept}`))).toEqual(['secret_differs'])
})

test('refuses a short secret from the environment', async () => {
  for (const given of ['short', `${'e'.repeat(32)} short`, ' \n'])
    expect([given, codes(await deploymentSecrets(await folder(), given))]).toEqual([
      given,
      ['secret_too_short'],
    ])
})

test('takes the holder of the token for the local user', async () => {
  const dir = await folder()
  const verifier = await localToken(dir, { now: Date.now })
  if (!verifier.ok) throw new Error('no token')
  const token = (await readFile(join(dir, 'token'), 'utf8')).trim()
  expect(await verifier.value.verify(token)).toBe(LOCAL_USER)
  for (const wrong of [undefined, '', 'x', `${token}x`, token.slice(1), token.toUpperCase()]) {
    expect(await verifier.value.verify(wrong)).toBeNull()
  }
})

test('follows the token when it is replaced', async () => {
  const dir = await folder()
  const still: (() => Promise<boolean>)[] = []
  const verifier = await localToken(dir, { now: Date.now }, (stillHolds) => {
    still.push(stillHolds)
    return LOCAL_USER
  })
  if (!verifier.ok) throw new Error('no token')
  const path = join(dir, 'token')
  const first = (await readFile(path, 'utf8')).trim()
  const second = 's'.repeat(43)
  for (let index = 0; index < 2; index++) expect(await verifier.value.verify(first)).toBe(LOCAL_USER)
  expect([still.length, await still[0]?.()]).toEqual([1, true])
  await writeFile(path, `${second}\n`)
  expect(await still[0]?.()).toBe(false)
  expect([await verifier.value.verify(first), await verifier.value.verify(second)]).toEqual([
    null,
    LOCAL_USER,
  ])
  await chmod(path, 0o644)
  await writeFile(path, `${first}\n`)
  await expect(verifier.value.verify(first)).rejects.toThrow('0644')
  await rm(path)
  await expect(verifier.value.verify(second)).rejects.toMatchObject({ retryable: true })
})

test('takes every caller for the local user if configured', async () => {
  expect(await everybody(() => LOCAL_USER).verify(undefined)).toBe(LOCAL_USER)
})
