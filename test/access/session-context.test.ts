import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  checkContext,
  type ConfigOwner,
  CONTEXT_PREFIXES,
  contextHeaders,
  injectContext,
  type SessionContext,
} from '../../src/access/session-context.ts'

const CONTEXT: SessionContext = {
  sessionId: 'sess_123',
  workspaceId: 'my-ws',
  workspaceRoot: '/projects/my-ws',
  trust: 'sandboxed',
}
const SEED = ['PARACHUTE_']

type Server = { readonly command: string; readonly env?: Readonly<Record<string, string>> }

/** The environments of several servers after the injection. */
function inject(
  servers: Readonly<Record<string, Server>>,
  given: Partial<SessionContext> = {},
  owner: ConfigOwner = 'operator',
) {
  const context = { ...CONTEXT, ...given }
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => [
      name,
      injectContext(server, context, { owner, prefixes: SEED }).server.env,
    ]),
  )
}

/* The seed's own tests, in its order. */

test('P2: the environment is created if it is missing', () => {
  const { test: env } = inject({ test: { command: 'python' } })
  expect(env).toMatchObject({ PARACHUTE_SESSION_ID: 'sess_123' })
})

test('P8: other variables are preserved', () => {
  const env = { CUSTOM_VAR: 'keep_me', PARACHUTE_VAULT_PATH: '/vault \n$(x)' }
  const server = { command: 'python', env }
  expect(inject({ test: server }, { workspaceId: '' })['test']).toEqual({
    ...env,
    PARACHUTE_SESSION_ID: 'sess_123',
    PARACHUTE_WORKSPACE_ID: '',
    PARACHUTE_TRUST_LEVEL: 'sandboxed',
  })
})

test('P5: no workspace is an empty string', () => {
  const { test: env } = inject({ test: { command: 'python' } }, { workspaceId: '', trust: 'direct' })
  expect(env?.['PARACHUTE_WORKSPACE_ID']).toBe('')
})

test('P1, P3: all three variables are always present', () => {
  expect(inject({ test: { command: 'python' } })['test']).toEqual({
    PARACHUTE_SESSION_ID: 'sess_123',
    PARACHUTE_WORKSPACE_ID: 'my-ws',
    PARACHUTE_TRUST_LEVEL: 'sandboxed',
  })
})

test('P4: every server gets the context', () => {
  const { mcp1, mcp2 } = inject({ mcp1: { command: 'python' }, mcp2: { command: 'node' } })
  expect(mcp1).toMatchObject({ PARACHUTE_SESSION_ID: 'sess_123' })
  expect(mcp2).toMatchObject({ PARACHUTE_SESSION_ID: 'sess_123' })
})

test("P9: what an operator's configuration presets is not overwritten", () => {
  const server = { command: 'python', env: { PARACHUTE_SESSION_ID: 'custom_session' } }
  expect(inject({ test: server })['test']).toMatchObject({
    PARACHUTE_SESSION_ID: 'custom_session',
    PARACHUTE_WORKSPACE_ID: 'my-ws',
  })
})

/* What the seed leaves open. */

test("P9: a client's configuration overrides nothing", () => {
  const env = { PARACHUTE_SESSION_ID: 'forged', parachute_trust_level: 'direct', MINE: 'kept' }
  const { server, replaced } = injectContext({ command: 'python', env }, CONTEXT, {
    owner: 'client',
    prefixes: SEED,
  })
  expect(server.env).toEqual({
    MINE: 'kept',
    PARACHUTE_SESSION_ID: 'sess_123',
    PARACHUTE_WORKSPACE_ID: 'my-ws',
    PARACHUTE_TRUST_LEVEL: 'sandboxed',
  })
  expect(replaced).toEqual(['PARACHUTE_SESSION_ID', 'parachute_trust_level'])
})

test('P1: both prefixes name the same values by default', () => {
  const { server } = injectContext({}, CONTEXT, { owner: 'operator', prefixes: CONTEXT_PREFIXES })
  expect(Object.keys(server.env)).toEqual([
    'PLASMID_SESSION_ID',
    'PLASMID_WORKSPACE_ID',
    'PLASMID_TRUST_LEVEL',
    'PARACHUTE_SESSION_ID',
    'PARACHUTE_WORKSPACE_ID',
    'PARACHUTE_TRUST_LEVEL',
  ])
})

test('P12: one configuration serves two sessions without a leak', () => {
  const base = { command: 'python', env: { A: '1' } }
  const before = JSON.stringify(base)
  const one = inject({ base }, { sessionId: 'one' })['base']
  const two = inject({ base }, { sessionId: 'two' })['base']
  expect(JSON.stringify(base)).toBe(before)
  expect([one?.['PARACHUTE_SESSION_ID'], two?.['PARACHUTE_SESSION_ID']]).toEqual(['one', 'two'])
})

test('P13: ten servers take less than ten milliseconds', () => {
  const servers = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [`s${at}`, { command: 'x' }]))
  inject(servers)
  const began = performance.now()
  for (let round = 0; round < 100; round++) inject(servers)
  expect((performance.now() - began) / 100).toBeLessThan(10)
})

test('P15, P28: a server that ignores the variables has its configuration unchanged', () => {
  const server: Server = { command: 'node' }
  const { server: injected } = injectContext(server, CONTEXT, { owner: 'operator', prefixes: [] })
  expect(injected).toEqual({ ...server, env: {} })
})

test('P21: values are data, whatever they contain', () => {
  const sessionId = fc.string({ minLength: 1, unit: 'grapheme' }).filter((text) => !text.includes('\0'))
  const ofEnv = fc.dictionary(fc.string(), fc.string())
  fc.assert(
    fc.property(sessionId, ofEnv, (id, env) => {
      const { server } = injectContext(
        { env },
        { ...CONTEXT, sessionId: id },
        { owner: 'client', prefixes: SEED },
      )
      expect(server.env['PARACHUTE_SESSION_ID']).toBe(id)
      const others = Object.entries(server.env).filter(([name]) => !name.startsWith('PARACHUTE_'))
      expect(others).toEqual(
        Object.entries(env).filter(([name]) => !name.toUpperCase().startsWith('PARACHUTE_')),
      )
    }),
  )
})

test.each<[Partial<SessionContext>, string]>([
  [{ sessionId: '' }, 'sessionId'],
  [{ sessionId: 'a\0b' }, 'sessionId'],
  [{ workspaceId: 'My Project' }, 'workspaceId'],
  [{ workspaceId: '../other' }, 'workspaceId'],
  [{ workspaceId: 'a'.repeat(65) }, 'workspaceId'],
  [{ workspaceRoot: 'relative' }, 'workspaceRoot'],
  [{ workspaceRoot: '/a\0' }, 'workspaceRoot'],
])('P7, P21, P30: a context with %j starts nothing', (wrong, field) => {
  expect(checkContext({ ...CONTEXT, ...wrong })).toMatchObject({
    ok: false,
    problems: [{ code: 'bad_session_context', message: expect.stringContaining(`\`${field}\``) }],
  })
})

test('P7: a session id is an opaque text', () => {
  const sessionId = 'a b"$(x)\n='
  expect(checkContext({ ...CONTEXT, sessionId })).toMatchObject({ ok: true, value: { sessionId } })
})

test('P22: a server over HTTP may get the context as headers', () => {
  expect(contextHeaders(CONTEXT, ['PLASMID_'])).toEqual([
    ['x-plasmid-session-id', 'sess_123'],
    ['x-plasmid-workspace-id', 'my-ws'],
    ['x-plasmid-trust-level', 'sandboxed'],
  ])
})
