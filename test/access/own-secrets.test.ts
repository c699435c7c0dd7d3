import fc from 'fast-check'
import { expect, test } from 'vitest'
import { principalOf } from '../../src/access/identity.ts'
import { ownSecrets, type SecretOwner } from '../../src/access/own-secrets.ts'
import { cases } from '../law-cases.ts'

const ISSUER = 'https://login.example'
const owners: readonly SecretOwner[] = [
  { from: 'keys', tenant: 'acme', secrets: { 'env:A': 'env:ACME_A', 'env:B': 'env:ACME_B' } },
  { from: 'keys', tenant: 'acme', subject: 'ada', secrets: { 'env:A': 'env:ADA_A' } },
  { from: 'keys', subject: 'ada', secrets: { 'env:A': 'env:OTHER_ADA' } },
  { from: ISSUER, tenant: 'acme', secrets: { 'env:A': 'env:ISSUED' } },
  { from: 'local', secrets: { 'env:A': 'env:LOCAL' } },
]
const referenceFor = ownSecrets(owners)
const keyOf = (identity: Parameters<typeof principalOf>[0]) => JSON.stringify(principalOf(identity))

test.each([
  ['the subject', { from: 'key', tenant: 'acme', subject: 'ada' }, 'env:ADA_A', 'env:ACME_B'],
  ['its tenant', { from: 'key', tenant: 'acme', subject: 'bob' }, 'env:ACME_A', 'env:ACME_B'],
  ['no tenant, which is not any tenant', { from: 'key', subject: 'ada' }, 'env:OTHER_ADA', 'env:B'],
  ['another tenant', { from: 'key', tenant: 'other', subject: 'ada' }, 'env:A', 'env:B'],
  [
    'the same tenant of an issuer',
    { from: 'jwt', issuer: ISSUER, tenant: 'acme', subject: 'ada' },
    'env:ISSUED',
    'env:B',
  ],
  ['the local user', { from: 'local' }, 'env:LOCAL', 'env:B'],
] as const)('gives the references of %s', (_whose, identity, a, b) => {
  const key = keyOf(identity)
  expect([referenceFor('env:A', key), referenceFor('env:B', key)]).toEqual([a, b])
})

test('gives calls for no principal the shared secret', () => {
  expect(referenceFor('env:A', undefined)).toBe('env:A')
})

test('gives no caller the reference of another, whatever they are named', () => {
  const word = fc.oneof(fc.constantFrom('subject', 'tenant', 'key', '', 'a'), fc.string({ maxLength: 3 }))
  const who = fc.record({ tenant: fc.option(word, { nil: undefined }), subject: word })
  const law = fc.property(who, who, (one, other) => {
    fc.pre(one.tenant !== other.tenant || one.subject !== other.subject)
    const identity = ({ tenant, subject }: typeof one) =>
      keyOf({ from: 'key', ...(tenant !== undefined && { tenant }), subject })
    const { tenant, subject } = one
    const owner = {
      from: 'keys',
      ...(tenant !== undefined && { tenant }),
      subject,
      secrets: { 'env:A': 'env:OWN' },
    }
    const find = ownSecrets([owner])
    expect([find('env:A', identity(one)), find('env:A', identity(other))]).toEqual(['env:OWN', 'env:A'])
  })
  fc.assert(law, { numRuns: cases(20_000) })
})
