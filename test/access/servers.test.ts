import { expect, test } from 'vitest'
import { allows } from '../../src/access/scope.ts'
import { needsSandbox, type ServerGrant } from '../../src/access/servers.ts'
import type { TrustLevel } from '../../src/access/trust.ts'

const SERVERS: readonly (ServerGrant & { readonly name: string })[] = [
  { name: 'direct', trust: 'direct' },
  { name: 'sandboxed', trust: 'sandboxed' },
  { name: 'backend', trust: 'direct', workspaces: ['backend'] },
  { name: 'both', trust: 'sandboxed', workspaces: ['backend', 'docs'] },
]

/** A call of this trust in workspaces to which the operator gave these ids. */
function scopeWith(trust: TrustLevel, granted: readonly string[]) {
  const workspaces = granted.map((id) => ({
    root: `/${id}`,
    id,
    grantedId: id,
    isGranted: true,
    trust,
    limits: [],
  }))
  return { workspaceId: '', workspaceRoot: '', trust, workspaces }
}

function names(trust: TrustLevel, granted: readonly string[]) {
  const scope = scopeWith(trust, granted)
  return SERVERS.filter((server) => allows(scope, { id: server.name, ...server })).map(({ name }) => name)
}

test('P10: a sandboxed session never sees a direct server', () => {
  expect(names('sandboxed', ['backend'])).toEqual(['sandboxed', 'both'])
  expect(names('direct', ['backend'])).toEqual(['direct', 'sandboxed', 'backend', 'both'])
})

test('P10: a server of other workspaces is left out', () => {
  expect(names('direct', [])).toEqual(['direct', 'sandboxed'])
  expect(names('direct', ['docs'])).toEqual(['direct', 'sandboxed', 'both'])
  expect(names('direct', ['backend', 'docs'])).toEqual(['direct', 'sandboxed', 'both'])
})

test('P11: what a session may use is decided without its environment', () => {
  const env = { PARACHUTE_TRUST_LEVEL: 'direct' }
  const server = { id: 'x', trust: 'direct' as const, env }
  expect(allows(scopeWith('sandboxed', []), server)).toBe(false)
})

test.each([
  ['direct', 'direct', false],
  ['sandboxed', 'direct', true],
  ['direct', 'sandboxed', true],
  ['sandboxed', 'sandboxed', true],
] as const)('a %s server of a %s session needs a sandbox: %s', (trust, session, needs) => {
  expect(needsSandbox({ trust }, { trust: session })).toBe(needs)
})
