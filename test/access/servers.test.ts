import { expect, test } from 'vitest'
import { needsSandbox, type ServerGrant, serversFor } from '../../src/access/servers.ts'

const SERVERS: readonly (ServerGrant & { readonly name: string })[] = [
  { name: 'direct', trust: 'direct' },
  { name: 'sandboxed', trust: 'sandboxed' },
  { name: 'backend', trust: 'direct', workspaces: ['backend'] },
  { name: 'both', trust: 'sandboxed', workspaces: ['backend', 'docs'] },
]

function names(trust: 'direct' | 'sandboxed', granted: readonly string[]) {
  return serversFor(SERVERS, { trust }, granted).map(({ name }) => name)
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
  const server = { name: 'x', trust: 'direct' as const, env }
  expect(serversFor([server], { trust: 'sandboxed' }, [])).toEqual([])
})

test.each([
  ['direct', 'direct', false],
  ['sandboxed', 'direct', true],
  ['direct', 'sandboxed', true],
  ['sandboxed', 'sandboxed', true],
] as const)('a %s server of a %s session needs a sandbox: %s', (trust, session, needs) => {
  expect(needsSandbox({ trust }, { trust: session })).toBe(needs)
})
