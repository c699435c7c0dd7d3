import { once } from 'node:events'
import { mkdtemp, rename, rm, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import { afterEach, expect, test, vi } from 'vitest'
import { keySetOfFile, keySetOfUrl } from '../../../src/adapters/auth/key-sets.ts'
import { type KeySet, tokenReader } from '../../../src/adapters/auth/tokens.ts'

const ISSUER = 'https://login.example'
const { privateKey, publicKey } = await generateKeyPair('ES256')
const jwks = { keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256', kid: 'k1' }] }
const closing: (() => void)[] = []
afterEach(() => closing.splice(0).forEach((close) => close()))

async function serving(listener: RequestListener) {
  let requests = 0
  const server = createServer((request, response) => {
    requests++
    listener(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => server.close())
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  return { url: new URL(`http://127.0.0.1:${address.port}/jwks.json`), requests: () => requests }
}

const token = (kid = 'k1') =>
  new SignJWT({ sub: 'bob' })
    .setProtectedHeader({ alg: 'ES256', kid })
    .setIssuer(ISSUER)
    .setAudience('us')
    .setExpirationTime('1h')
    .sign(privateKey)

function readerOf(url: URL, now: () => number = Date.now) {
  const keys = keySetOfUrl(url, fetch, { now })
  const issuer = { issuer: ISSUER, audience: ['us'], key: keys, scopes: [], toleranceSeconds: 0 }
  return tokenReader([issuer], { now })
}

test('fetches keys once for many tokens', async () => {
  const { url, requests } = await serving((_, response) => response.end(JSON.stringify(jwks)))
  const verify = readerOf(url)
  const proofs = await Promise.all(Array.from({ length: 20 }, async () => verify(await token())))
  expect(proofs.every((proof) => proof?.identity.from === 'jwt')).toBe(true)
  expect(requests()).toBe(1)
})

test('cannot be made to fetch by unknown key ids', async () => {
  const { url, requests } = await serving((_, response) => response.end(JSON.stringify(jwks)))
  const verify = readerOf(url)
  for (let index = 0; index < 20; index++) expect(await verify(await token(`k${index + 2}`))).toBeNull()
  expect(requests()).toBe(1)
})

test('fetches nothing for another issuer', async () => {
  const { url, requests } = await serving((_, response) => response.end(JSON.stringify(jwks)))
  const foreign = await new SignJWT({ sub: 'bob', iss: 'https://evil.example' })
    .setProtectedHeader({ alg: 'ES256', kid: 'k1', jku: url.href })
    .sign(privateKey)
  expect([await readerOf(url)(foreign), requests()]).toEqual([null, 0])
})

test.each<[string, RequestListener]>([
  ['an error', (_, response) => response.writeHead(500).end()],
  ['no JSON', (_, response) => response.end('<html>')],
  ['no key set', (_, response) => response.end('{"keys":1}')],
  ['too much', (_, response) => response.end(`{"keys":[],"more":"${'x'.repeat(300_000)}"}`)],
  ['a broken connection', (_, response) => response.destroy()],
])('says that it cannot tell after %s, and waits', async (_, listener) => {
  let now = Date.now()
  const { url, requests } = await serving(listener)
  const verify = readerOf(url, () => now)
  const tokens = [await token(), await token('k2')]
  for (const one of tokens) await expect(verify(one)).rejects.toMatchObject({ retryable: true })
  expect(requests()).toBe(1)
  now += 30_000
  await expect(verify(tokens[0] ?? '')).rejects.toMatchObject({ retryable: true })
  expect(requests()).toBe(2)
})

test('a withdrawn key counts for five minutes at most', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  closing.push(() => void vi.useRealTimers())
  let keys: readonly object[] = jwks.keys
  const { url } = await serving((_, response) => response.end(JSON.stringify({ keys })))
  const verify = readerOf(url)
  const [early, late] = [await token(), await token()]
  expect(await verify(early)).not.toBeNull()
  keys = []
  const start = Date.now()
  vi.setSystemTime(start + 4 * 60_000 - 1000)
  // The worst case: verified with keys that were about to be fetched again, and cached.
  expect(await verify(late)).not.toBeNull()
  vi.setSystemTime(start + 5 * 60_000)
  expect([await verify(early), await verify(late)]).toEqual([null, null])
})

test('a clock that is set back does not lengthen the life of a verification', async () => {
  let now = Date.now()
  const verified: string[] = []
  const { url } = await serving((_, response) => response.end(JSON.stringify(jwks)))
  const fetched = keySetOfUrl(url, fetch, { now: () => now })
  const key: KeySet = {
    ...fetched,
    keys: async (header, given) => {
      verified.push(header?.kid ?? '')
      return fetched.keys(header, given)
    },
  }
  const issuer = { issuer: ISSUER, audience: ['us'], key, scopes: [], toleranceSeconds: 0 }
  const verify = tokenReader([issuer], { now: () => now })
  const one = await token()
  await verify(one)
  await verify(one)
  now -= 3_600_000
  await verify(one)
  expect(verified).toEqual(['k1', 'k1'])
})

test('follows no redirect', async () => {
  const inner = await serving((_, response) => response.end(JSON.stringify(jwks)))
  const { url } = await serving((_, response) => response.writeHead(302, { location: inner.url.href }).end())
  await expect(readerOf(url)(await token())).rejects.toMatchObject({ retryable: true })
  expect(inner.requests()).toBe(0)
})

test('reveals nothing of the token if keys are unavailable', async () => {
  const { url } = await serving((_, response) => response.destroy())
  const one = await token()
  const error: unknown = await readerOf(url)(one).catch((caught: unknown) => caught)
  const told = error instanceof Error ? `${error.stack} ${String(error.cause)}` : ''
  expect(told).toContain(url.href)
  expect(told).not.toContain(one.split('.')[2])
})

test('takes keys from a file as it is now', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plasmid-jwks-'))
  const path = join(dir, 'jwks.json')
  const put = async (value: object) => {
    await writeFile(`${path}.new`, JSON.stringify(value))
    await rename(`${path}.new`, path)
  }
  await put({ keys: [] })
  const clock = { now: Date.now }
  const keys = keySetOfFile(path, clock)
  if (!keys.ok) throw new Error(JSON.stringify(keys.problems))
  const issuer = {
    issuer: ISSUER,
    audience: ['us'],
    key: keys.value,
    scopes: [],
    toleranceSeconds: 0,
  }
  const verify = tokenReader([issuer], clock)
  const one = await token()
  expect(await verify(one)).toBeNull()
  await put(jwks)
  expect(await verify(one)).not.toBeNull()
  // A token that was verified with a withdrawn key is refused from the next request.
  await put({ keys: [] })
  expect(await verify(one)).toBeNull()
  await rm(path)
  await expect(verify(await token('other'))).rejects.toMatchObject({ retryable: true })
})

test('refuses a file without a key set', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'plasmid-jwks-')), 'jwks.json')
  const codes = () => {
    const read = keySetOfFile(path, { now: Date.now })
    return read.ok ? [] : read.problems.map(({ code }) => code)
  }
  expect(codes()).toEqual(['jwks_unreadable'])
  await writeFile(path, '[]')
  expect(codes()).toEqual(['jwks_unreadable'])
})
