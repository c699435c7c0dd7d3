import { expect, test } from 'vitest'
import type { Identity } from '../../src/access/identity.ts'
import { type Policy, readPolicy, unknownNames } from '../../src/access/policy.ts'

const ISSUER = 'https://login.example'
const acme: Identity = { from: 'jwt', issuer: ISSUER, tenant: 'acme', subject: 'bob' }

function policyOf(value: unknown): Policy {
  const read = readPolicy(value, 'policy.yaml', Date.parse)
  if (!read.ok) throw new Error(JSON.stringify(read.problems))
  return read.value
}

function problemsOf(value: unknown): string[] {
  const read = readPolicy(value, 'policy.yaml', Date.parse)
  return read.ok ? [] : read.problems.map(({ code, message, next }) => `${code}: ${message} ${next}`)
}

test('lets everybody do everything without entries', () => {
  const rights = policyOf({}).rightsOf(acme)
  expect([
    rights.mayUseCatalog('shop'),
    rights.mayUseCapability('shop', 'x'),
    rights.effectPolicy('shop', 'x'),
  ]).toEqual([true, true, undefined])
})

test('lets nobody do anything where that is the default', () => {
  const rights = policyOf({ default: 'deny' }).rightsOf(acme)
  expect([
    rights.mayUseCatalog('shop'),
    rights.mayUseCapability('shop', 'x'),
    rights.effectPolicy('shop', 'x'),
  ]).toEqual([false, false, 'deny'])
})

test('narrows catalogs, capabilities and effects', () => {
  const rights = policyOf({
    callers: [
      {
        from: ISSUER,
        tenant: 'acme',
        effects: 'review',
        catalogs: {
          shop: {
            effects: 'allow',
            capabilities: ['list', 'delete'],
            capability_effects: { delete: 'confirm' },
          },
          library: null,
        },
      },
    ],
  }).rightsOf(acme)
  const asked = ['shop', 'library', 'other', '__proto__', 'constructor'].map((catalog) => [
    catalog,
    rights.mayUseCatalog(catalog),
    ...['list', 'create', 'delete', 'toString'].map((one) => rights.mayUseCapability(catalog, one)),
    rights.effectPolicy(catalog, 'list'),
    rights.effectPolicy(catalog, 'delete'),
  ])
  expect(asked).toEqual([
    ['shop', true, true, false, true, false, 'allow', 'confirm'],
    ['library', true, true, true, true, true, 'review', 'review'],
    ['other', false, false, false, false, false, 'review', 'review'],
    ['__proto__', false, false, false, false, false, 'review', 'review'],
    ['constructor', false, false, false, false, false, 'review', 'review'],
  ])
})

test('takes an empty list for nothing', () => {
  const rights = policyOf({ callers: [{ from: 'local', catalogs: {} }] }).rightsOf({ from: 'local' })
  expect(rights.mayUseCatalog('shop')).toBe(false)
  const none = policyOf({ callers: [{ from: 'local', catalogs: { shop: { capabilities: [] } } }] })
  expect(none.rightsOf({ from: 'local' }).mayUseCapability('shop', 'list')).toBe(false)
})

test('tells sources and tenants apart', () => {
  const entry = { from: ISSUER, tenant: 'acme', catalogs: { shop: null } }
  const { rightsOf } = policyOf({ default: 'deny', callers: [entry] })
  const callers: Identity[] = [
    acme,
    { ...acme, subject: 'alice' },
    { ...acme, issuer: 'https://other.example' },
    { from: 'key', tenant: 'acme', subject: 'bob' },
    { ...acme, tenant: 'ACME' },
    { from: 'jwt', issuer: ISSUER, subject: 'bob' },
    { from: 'local' },
    { from: 'anonymous', name: 'x' },
  ]
  expect(callers.map((one) => rightsOf(one).mayUseCatalog('shop'))).toEqual([
    true,
    true,
    false,
    false,
    false,
    false,
    false,
    false,
  ])
})

test('reads the moment of a revocation', () => {
  const entry = { from: 'keys', tenant: 'acme', revoked_before: '2026-11-21T01:00:00+01:00' }
  const rights = policyOf({ callers: [entry] }).rightsOf({ from: 'key', tenant: 'acme', subject: 'x' })
  expect(rights.revokedBefore).toBe(Date.UTC(2026, 10, 21))
})

test('names every mistake at once', () => {
  expect(
    problemsOf({
      defualt: 'deny',
      callers: [
        { from: 'local', catalog: {}, effects: 'never' },
        { from: 'keys', catalogs: { shop: { capability: ['x'] } }, revoked_before: 'yesterday' },
      ],
    }),
  ).toEqual([
    'policy_invalid: In the policy file policy.yaml, `callers.0.effects` must be `allow`, `review`, `confirm` or `deny`. Correct the file; until then all access is denied.',
    'policy_unknown_key: The policy file policy.yaml has an unknown key `catalog` in `callers.0`. Did you mean `catalogs`?',
    'policy_unknown_key: The policy file policy.yaml has an unknown key `capability` in `callers.1.catalogs.shop`. Did you mean `capabilities`?',
    'policy_invalid: In the policy file policy.yaml, `callers.1.revoked_before` is not a valid datetime. Correct the file; until then all access is denied.',
    'policy_unknown_key: The policy file policy.yaml has an unknown key `defualt`. Did you mean `default`?',
  ])
})

test('refuses two entries for one tenant', () => {
  expect(
    problemsOf({ callers: [{ from: 'keys' }, { from: 'keys', tenant: 'a' }, { from: 'keys' }] }),
  ).toEqual([
    'policy_twice: The policy file policy.yaml has two entries for callers without a tenant from `keys`. Merge the two entries.',
  ])
})

test.each([[null], ['text'], [[]], [{ callers: {} }], [{ callers: [{}] }], [{ callers: [{ from: '' }] }]])(
  'refuses %j',
  (value) => {
    expect(problemsOf(value).map((line) => line.split(':')[0])).toContain('policy_invalid')
  },
)

test('finds names that no catalog has', () => {
  const policy = policyOf({
    callers: [
      {
        from: 'local',
        catalogs: { shpo: null, shop: { capability_effects: { delte: 'deny' }, capabilities: ['list'] } },
      },
    ],
  })
  const found = unknownNames(policy, 'policy.yaml', new Map([['shop', ['list', 'delete']]]))
  expect(found.map(({ message, next }) => `${message} ${next}`)).toEqual([
    'The policy file policy.yaml refers to `shpo` at `callers[0].catalogs.shpo`, which no loaded catalog has. Did you mean `shop`?',
    'The policy file policy.yaml refers to `delte` at `callers[0].catalogs.shop`, which no loaded catalog has. Did you mean `delete`?',
  ])
})
