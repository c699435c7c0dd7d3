import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../src/access/caller.ts'
import { type Identity, isName, principalOf, tenantScopeOf } from '../../src/access/identity.ts'
import { EVERYTHING } from '../../src/access/policy.ts'
import { canonicalJson, lengthPrefixed } from '../../src/base/canonical.ts'
import { addressOf } from '../../src/session/identity.ts'

const A = 'https://a.example'
const B = 'https://b.example'

/** Callers that must never meet, although much about them is equal. */
const STRANGERS: readonly Identity[] = [
  { from: 'local' },
  { from: 'anonymous', name: 'local' },
  { from: 'anonymous', name: 'another' },
  { from: 'key', subject: 'local' },
  { from: 'key', subject: 'anonymous' },
  { from: 'key', subject: 'bob' },
  { from: 'key', tenant: 'acme', subject: 'bob' },
  { from: 'key', tenant: 'anonymous', subject: 'bob' },
  { from: 'jwt', issuer: A, subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'acme', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'acme', subject: 'alice' },
  { from: 'jwt', issuer: B, tenant: 'acme', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'subject', subject: 'bob' },
  { from: 'jwt', issuer: A, subject: 'subject' },
  { from: 'jwt', issuer: A, tenant: 'a', subject: 'bc' },
  { from: 'jwt', issuer: A, tenant: 'ab', subject: 'c' },
  { from: 'jwt', issuer: A, tenant: 'Acme', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'caf\u00e9', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'cafe\u0301', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: 'null', subject: 'bob' },
  { from: 'jwt', issuer: A, tenant: ' acme', subject: 'bob' },
]

test('strangers share no address', () => {
  const addresses = STRANGERS.map((one) => addressOf('secret', tenantScopeOf(one, 'principal'), 'one intent'))
  expect(new Set(addresses).size).toBe(STRANGERS.length)
})

test('strangers have names of their own', () => {
  const named = STRANGERS.filter(({ from }) => from !== 'anonymous')
  expect(new Set(named.map((one) => JSON.stringify(principalOf(one)))).size).toBe(named.length)
})

const scope = (identity: Identity) => tenantScopeOf(identity, 'tenant')

test('one tenant shares sessions where told so', () => {
  const bob: Identity = { from: 'jwt', issuer: A, tenant: 'acme', subject: 'bob' }
  expect(scope(bob)).toEqual(['shared', 'jwt', A, 'tenant', 'acme'])
  expect(scope({ ...bob, subject: 'alice' })).toEqual(scope(bob))
  for (const other of [
    { ...bob, issuer: B },
    { from: 'key', tenant: 'acme', subject: 'bob' } as const,
    { from: 'jwt', issuer: A, subject: 'bob' } as const,
  ])
    expect(scope(other)).not.toEqual(scope(bob))
})

test('without a tenant nothing is shared', () => {
  const [bob, alice] = ['bob', 'alice'].map((subject) => scope({ from: 'jwt', issuer: A, subject }))
  expect(bob).not.toEqual(alice)
})

const bytesOf = (one: Identity) => lengthPrefixed(tenantScopeOf(one, 'principal'))

test('different identities are different bytes', () => {
  const name = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter(isName)
  const identity = fc.oneof(
    fc.record({ from: fc.constant('key' as const), tenant: name, subject: name }),
    fc.record({ from: fc.constant('key' as const), subject: name }),
    fc.record({ from: fc.constant('jwt' as const), issuer: name, tenant: name, subject: name }),
    fc.record({ from: fc.constant('jwt' as const), issuer: name, subject: name }),
  )
  fc.assert(
    fc.property(identity, identity, (a, b) => {
      const same = canonicalJson(a) === canonicalJson(b)
      expect(bytesOf(a) === bytesOf(b)).toBe(same)
      expect(a.from === b.from || JSON.stringify(scope(a)) !== JSON.stringify(scope(b))).toBe(true)
    }),
  )
})

test.each([
  ['bob', true],
  [' ', true],
  ['\u00e9', true],
  ['', false],
  ['\ud800', false],
  ['x'.repeat(513), false],
  [7, false],
  [null, false],
  [undefined, false],
  [['bob'], false],
])('takes %j for a name: %s', (value, expected) => {
  expect(isName(value)).toBe(expected)
})

test('names the principal where it is delegated', () => {
  const bob: Identity = { from: 'jwt', issuer: A, subject: 'bob' }
  const caller = callerOf(bob, { ...DEFAULT_RESOLUTION, delegated: true }, () => EVERYTHING)
  expect(caller.delegated).toBe(`["jwt","${A}","subject","bob"]`)
  expect(LOCAL_USER.delegated).toBeUndefined()
})
