import { createHmac, createSecretKey } from 'node:crypto'
import {
  base64url,
  createLocalJWKSet,
  exportJWK,
  exportSPKI,
  generateKeyPair,
  type JWTPayload,
  SignJWT,
  UnsecuredJWT,
} from 'jose'
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Issuer, tokenReader } from '../../../src/adapters/auth/tokens.ts'

const ISSUER = 'https://login.example'
const OURS = 'https://plasmid.example/mcp'
const NOW = Date.UTC(2026, 10, 21)
const seconds = NOW / 1000
const HOUR = 3600

const pairs = {
  RS256: await generateKeyPair('RS256'),
  ES256: await generateKeyPair('ES256'),
  EdDSA: await generateKeyPair('EdDSA'),
}
const keys = createLocalJWKSet({
  keys: await Promise.all(
    Object.entries(pairs).map(async ([alg, { publicKey }]) => ({
      ...(await exportJWK(publicKey)),
      alg,
      kid: alg,
    })),
  ),
})
const secret = createSecretKey(Buffer.alloc(32, 7))

function reader(changes: Partial<Issuer> = {}, now = () => NOW) {
  const issuer = {
    issuer: ISSUER,
    audience: [OURS],
    key: { keys, stamp: () => keys },
    scopes: [],
    toleranceSeconds: 0,
    ...changes,
  }
  return tokenReader([issuer], { now })
}

const CLAIMS: JWTPayload = {
  iss: ISSUER,
  aud: OURS,
  sub: 'bob',
  tenant_id: 'acme',
  iat: seconds,
  exp: seconds + HOUR,
}

const signed = (claims: JWTPayload, alg: keyof typeof pairs = 'ES256') =>
  new SignJWT(claims).setProtectedHeader({ alg, kid: alg }).sign(pairs[alg].privateKey)
const shared = (claims: JWTPayload, alg = 'HS256') =>
  new SignJWT(claims).setProtectedHeader({ alg }).sign(secret)

const PROOF = {
  identity: { from: 'jwt', issuer: ISSUER, tenant: 'acme', subject: 'bob' },
  issuedAt: NOW,
}

test.each(['RS256', 'ES256', 'EdDSA'] as const)('takes %s by public keys', async (alg) => {
  expect(await reader()(await signed(CLAIMS, alg))).toEqual(PROOF)
})

test('takes HS256 by a shared secret alone', async () => {
  const verify = reader({ key: { secret } })
  expect(await verify(await shared(CLAIMS))).toEqual(PROOF)
  expect(await verify(await shared(CLAIMS, 'HS512'))).toBeNull()
  expect(await verify(await signed(CLAIMS))).toBeNull()
})

const without = (name: string) => Object.fromEntries(Object.entries(CLAIMS).filter(([key]) => key !== name))

test.each<[string, JWTPayload]>([
  ['expired', { ...CLAIMS, exp: seconds - 1 }],
  ['expiring now', { ...CLAIMS, exp: seconds }],
  ['not valid yet', { ...CLAIMS, nbf: seconds + 1 }],
  ['issued in the future', { ...CLAIMS, iat: seconds + 1 }],
  ['for somebody else', { ...CLAIMS, aud: 'https://other.example' }],
  ['for a longer address of ours', { ...CLAIMS, aud: `${OURS}/` }],
  ['of another issuer', { ...CLAIMS, iss: 'https://evil.example' }],
  ['of a longer issuer', { ...CLAIMS, iss: `${ISSUER}/` }],
  ['without exp', without('exp')],
  ['without sub', without('sub')],
  ['without aud', without('aud')],
  ['without iss', without('iss')],
  ['with an empty subject', { ...CLAIMS, sub: '' }],
  ['with an empty tenant', { ...CLAIMS, tenant_id: '' }],
  ['with a number as tenant', { ...CLAIMS, tenant_id: 7 }],
  ['with null as tenant', { ...CLAIMS, tenant_id: null }],
  ['with a list as tenant', { ...CLAIMS, tenant_id: ['acme'] }],
  ['with a number behind a good tenant', { ...without('tenant_id'), tid: 7, tenant: 'acme' }],
  ['with a lone surrogate', { ...CLAIMS, tenant_id: '\ud800' }],
])('takes no token %s', async (_, claims) => {
  expect(await reader()(await signed(claims))).toBeNull()
})

test('takes no subject that is no text', async () => {
  const header = base64url.encode(JSON.stringify({ alg: 'HS256' }))
  const payload = base64url.encode(JSON.stringify({ ...CLAIMS, sub: 7 }))
  const mac = createHmac('sha256', secret).update(`${header}.${payload}`).digest('base64url')
  expect(await reader({ key: { secret } })(`${header}.${payload}.${mac}`)).toBeNull()
})

test.each([
  ['tid', { tid: 'acme' }],
  ['tenant', { tenant: 'acme' }],
  ['the first of several', { tenant_id: 'acme', tid: 'other' }],
])('reads the tenant from %s', async (_, claims) => {
  expect(await reader()(await signed({ ...without('tenant_id'), ...claims }))).toEqual(PROOF)
})

test('leaves out a tenant that is missing', async () => {
  expect(await reader()(await signed(without('tenant_id')))).toEqual({
    identity: { from: 'jwt', issuer: ISSUER, subject: 'bob' },
    issuedAt: NOW,
  })
})

test('takes no unsigned token', async () => {
  const unsigned = new UnsecuredJWT(CLAIMS).encode()
  expect(await reader()(unsigned)).toBeNull()
  for (const alg of ['none', 'None', 'NONE', 'nOnE']) {
    const [, payload] = unsigned.split('.')
    expect(await reader()(`${base64url.encode(JSON.stringify({ alg }))}.${payload}.`)).toBeNull()
  }
})

test('takes no public key for a shared secret', async () => {
  for (const text of [
    await exportSPKI(pairs.RS256.publicKey),
    JSON.stringify(await exportJWK(pairs.RS256.publicKey)),
  ]) {
    const forged = await new SignJWT(CLAIMS)
      .setProtectedHeader({ alg: 'HS256', kid: 'RS256' })
      .sign(new TextEncoder().encode(text))
    expect(await reader()(forged)).toBeNull()
  }
})

test('takes no key that the token brings', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256')
  const jwk = await exportJWK(publicKey)
  const own = { jwk, jku: 'https://evil.example/jwks.json', x5u: 'https://evil.example/x' }
  const forged = (kid: string) =>
    new SignJWT(CLAIMS).setProtectedHeader({ alg: 'ES256', kid, ...own }).sign(privateKey)
  expect(await reader()(await forged('ES256'))).toBeNull()
  expect(await reader()(await forged('unknown'))).toBeNull()
})

test('takes no token whose parts were changed', async () => {
  const verify = reader()
  const [header = '', payload = '', signature = ''] = (await signed(CLAIMS)).split('.')
  const admin = base64url.encode(JSON.stringify({ ...CLAIMS, tenant_id: 'other' }))
  const other = (await signed({ ...CLAIMS, sub: 'eve' })).split('.')[2] ?? ''
  expect(await verify(`${header}.${payload}.${signature}`)).toEqual(PROOF)
  for (const token of [
    `${header}.${admin}.${signature}`,
    `${header}.${payload}.${other}`,
    `${header}.${payload}.`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.`,
    `.${payload}.${signature}`,
    ` ${header}.${payload}.${signature}`,
  ])
    expect(await verify(token)).toBeNull()
})

test('rejects random input, and never throws', async () => {
  const verify = reader()
  const part = fc.oneof(
    fc.string(),
    fc.json().map((text) => base64url.encode(text)),
  )
  const noise = fc.oneof(
    fc.string(),
    fc.array(part, { minLength: 1, maxLength: 5 }).map((parts) => parts.join('.')),
  )
  await fc.assert(
    fc.asyncProperty(noise, async (token) => {
      expect(await verify(token)).toBeNull()
    }),
  )
  expect(await verify('x'.repeat(1_000_000))).toBeNull()
})

test('asks for every scope', async () => {
  const verify = reader({ scopes: ['plasmid:use', 'plasmid:write'] })
  expect(await verify(await signed({ ...CLAIMS, scope: 'plasmid:write other plasmid:use' }))).toEqual(PROOF)
  expect(await verify(await signed({ ...CLAIMS, scope: 'plasmid:use' }))).toBeNull()
  expect(await verify(await signed({ ...CLAIMS, scope: ['plasmid:use', 'plasmid:write'] }))).toBeNull()
  expect(await verify(await signed(CLAIMS))).toBeNull()
})

test('allows for a clock that is off', async () => {
  const late = await signed({ ...CLAIMS, exp: seconds - 20, nbf: seconds + 20 })
  expect(await reader({ toleranceSeconds: 30 })(late)).toEqual(PROOF)
  expect(await reader({ toleranceSeconds: 10 })(late)).toBeNull()
})

test('keeps what it verified until the token expires', async () => {
  let now = NOW
  let asked = 0
  const counting: typeof keys = Object.assign(
    (...call: Parameters<typeof keys>) => (asked++, keys(...call)),
    {
      jwks: keys.jwks,
    },
  )
  const verify = reader({ key: { keys: counting, stamp: () => keys } }, () => now)
  const token = await signed({ ...CLAIMS, exp: seconds + 60 })
  await verify(token)
  expect([await verify(token), asked]).toEqual([PROOF, 1])
  now += 60_000
  expect(await verify(token)).toBeNull()
})

test('verifies again after a minute', async () => {
  let now = NOW
  let withdrawn = false
  const source: typeof keys = Object.assign(
    (...call: Parameters<typeof keys>) => (withdrawn ? createLocalJWKSet({ keys: [] }) : keys)(...call),
    { jwks: keys.jwks },
  )
  const verify = reader({ key: { keys: source, stamp: () => keys } }, () => now)
  const token = await signed(CLAIMS)
  await verify(token)
  withdrawn = true
  now += 59_000
  expect(await verify(token)).toEqual(PROOF)
  now += 1000
  expect(await verify(token)).toBeNull()
})

test('distinguishes issuers with different keys', async () => {
  const other = await generateKeyPair('ES256')
  const otherKeys = createLocalJWKSet({
    keys: [{ ...(await exportJWK(other.publicKey)), alg: 'ES256', kid: 'ES256' }],
  })
  const common = { audience: [OURS], scopes: [], toleranceSeconds: 0 }
  const verify = tokenReader(
    [
      { ...common, issuer: ISSUER, key: { keys, stamp: () => keys } },
      { ...common, issuer: 'https://other.example', key: { keys: otherKeys, stamp: () => otherKeys } },
    ],
    { now: () => NOW },
  )
  expect(await verify(await signed(CLAIMS))).toEqual(PROOF)
  // The first issuer's key under the second one's name.
  expect(await verify(await signed({ ...CLAIMS, iss: 'https://other.example' }))).toBeNull()
})
