import { createServer, type IncomingHttpHeaders } from 'node:http'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { McpServer } from '../../../src/access/mcp-server.ts'
import type { SessionContext } from '../../../src/access/session-context.ts'
import { type Answer, contextOf, ENVIRONMENT, runtimeWith, serverOf, whyNoSandbox } from './runtimes.ts'

const reason = whyNoSandbox()
let ends: (() => Promise<unknown>)[]
beforeEach(() => void (ends = []))
afterEach(() => vi.unstubAllEnvs())
afterEach(() => Promise.all(ends.map((end) => end())))

async function start() {
  const started = await runtimeWith()
  ends.push(() => started.runtime.shutDown())
  return started
}

function ofOurs({ env = {} }: Answer): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter(([name]) => /^(PLASMID|PARACHUTE)_/.test(name)))
}

test('what references lead to is struck out of answers and of the log', async () => {
  vi.stubEnv('KEY_OF_THIS_TEST', 'a-key-that-leaks')
  const { caller, events } = await start()
  const env = {
    WHOLE: 'env:EVIL_KEY',
    PART: 'Bearer ${KEY_OF_THIS_TEST}',
    HOMES: '${HOME}',
    SHORT: '${SHLVL:-1}',
  }
  const script = `echo "I hold $WHOLE and $PART" >&2; exec ${process.execPath} ${ENVIRONMENT}`
  const server = serverOf({ start: { kind: 'stdio', command: 'sh', args: ['-c', script], env, cwd: '/' } })
  const answer = await caller(server)(contextOf(), 'environment', { note: 'is it a-key-that-leaks?' })
  expect(answer).toMatchObject({
    env: { WHOLE: 'SECRET_REMOVED', PART: 'Bearer SECRET_REMOVED', HOMES: process.env['HOME'] },
  })
  expect(JSON.stringify([answer, events])).not.toMatch(/a-key-that-leaks|the secret of/)
  await vi.waitFor(() =>
    expect(events).toContainEqual(
      expect.objectContaining({
        name: 'mcp_output',
        facts: expect.objectContaining({ line: 'I hold SECRET_REMOVED and Bearer SECRET_REMOVED' }),
      }),
    ),
  )
})

test('P16: the context reaches the process of the server', async () => {
  const { caller } = await start()
  const context = contextOf({ sessionId: 'l_abc', workspaceId: 'my-project', workspaceRoot: '/w' })
  const answer = await caller(serverOf())(context, 'environment')
  expect(ofOurs(answer)).toEqual({
    PLASMID_SESSION_ID: 'l_abc',
    PLASMID_WORKSPACE_ID: 'my-project',
    PLASMID_TRUST_LEVEL: 'direct',
    PARACHUTE_SESSION_ID: 'l_abc',
    PARACHUTE_WORKSPACE_ID: 'my-project',
    PARACHUTE_TRUST_LEVEL: 'direct',
  })
})

test("P5, P21: values arrive as they are, and an empty workspace as ''", async () => {
  const { caller } = await start()
  const sessionId = `l_"$(id)'\n=%00`
  const { env } = await caller(serverOf())(contextOf({ sessionId }), 'environment')
  expect(env).toMatchObject({ PLASMID_SESSION_ID: sessionId, PLASMID_WORKSPACE_ID: '' })
})

test('P9, P20: a client forges nothing, an operator keeps what it preset', async () => {
  const { caller } = await start()
  const env = { PARACHUTE_SESSION_ID: 'preset', CUSTOM_VAR: 'kept' }
  const stdio = { kind: 'stdio', command: process.execPath, args: [ENVIRONMENT], env, cwd: '/' } as const
  const of = (owner: McpServer['owner']) =>
    caller(serverOf({ owner, start: stdio }))(contextOf(), 'environment').then((answer) => answer.env)
  expect(await of('client')).toMatchObject({ PARACHUTE_SESSION_ID: 'l_session', CUSTOM_VAR: 'kept' })
  expect(await of('operator')).toMatchObject({ PARACHUTE_SESSION_ID: 'preset', CUSTOM_VAR: 'kept' })
})

test('P18, O11: parallel sessions have processes of their own, and their values never cross', async () => {
  const { caller } = await start()
  const call = caller(serverOf())
  const sessions = Array.from({ length: 4 }, (_, at) =>
    contextOf({ sessionId: `l_${at}`, workspaceId: `ws${at}`, workspaceRoot: `/w${at}` }),
  )
  const rounds = await Promise.all(
    Array.from({ length: 5 }, () => Promise.all(sessions.map((one) => call(one, 'environment')))),
  )
  const pids = new Set<number | undefined>()
  for (const answers of rounds)
    answers.forEach((answer, at) => {
      pids.add(answer.pid)
      expect(ofOurs(answer)).toMatchObject({ PLASMID_SESSION_ID: `l_${at}`, PLASMID_WORKSPACE_ID: `ws${at}` })
      expect(answer.meta).toMatchObject({ plasmid: { workspace: `/w${at}` } })
    })
  expect(pids.size).toBe(4)
})

test('P12, P23: the same session in another workspace has another process', async () => {
  const { caller } = await start()
  const call = caller(serverOf())
  const at = async (workspaceId: string) =>
    ofOurs(await call(contextOf({ workspaceId, workspaceRoot: `/${workspaceId}` }), 'environment'))
  expect(await at('one')).toMatchObject({ PLASMID_WORKSPACE_ID: 'one' })
  expect(await at('two')).toMatchObject({ PLASMID_WORKSPACE_ID: 'two' })
  expect(await at('one')).toMatchObject({ PLASMID_WORKSPACE_ID: 'one' })
})

test('P19: a tool uses the context, whatever its arguments claim', async () => {
  const { caller } = await start()
  const claims = { note: 'PLASMID_SESSION_ID=forged', session_id: 'forged', trust_level: 'direct' }
  const answer = await caller(serverOf())(contextOf(), 'environment', claims)
  expect(ofOurs(answer)).toMatchObject({ PLASMID_SESSION_ID: 'l_session' })
})

test('P30: a context that cannot be given starts nothing', async () => {
  const { caller, events } = await start()
  const answer = await caller(serverOf())(contextOf({ sessionId: 'a\0b' }), 'environment')
  expect(answer).toMatchObject({ problem: { code: 'bad_session_context' } })
  expect(events.filter(({ name }) => name === 'mcp_started')).toEqual([])
})

test("only a few plain variables of ours reach a server, and none of the operator's secrets", async () => {
  const { caller } = await start()
  process.env['PLASMID_SECRET'] = 'the deployment secret'
  ends.push(async () => delete process.env['PLASMID_SECRET'])
  const { env = {} } = await caller(serverOf())(contextOf(), 'environment')
  const given = Object.keys(env).filter(
    (name) => !/^(PLASMID|PARACHUTE)_(SESSION_ID|WORKSPACE_ID|TRUST_LEVEL)$/.test(name),
  )
  const plain = ['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'LANG', 'LC_ALL', 'TZ', 'TERM', 'TMPDIR']
  expect(plain).toEqual(expect.arrayContaining(given))
})

test('we announce the workspace onwards, when a connection opens and with each request', async () => {
  const { caller } = await start()
  const root = { workspace: '/w' }
  const { initialize, meta } = await caller(serverOf())(contextOf({ workspaceRoot: '/w' }), 'environment')
  expect(initialize).toMatchObject({ plasmid: root, orbit: root })
  expect(meta).toMatchObject({ plasmid: root, orbit: root })
  const without = await caller(serverOf())(contextOf(), 'environment')
  expect([without.initialize, without.meta]).toEqual([{}, {}])
})

test('P18, P26: each process is on record with its session, and one without a session as that', async () => {
  const { caller, events, runtime } = await start()
  const started = () => events.filter(({ name }) => name === 'mcp_started').map(({ facts }) => facts)
  const { pid } = await caller(serverOf())(contextOf({ workspaceId: 'ws' }), 'environment')
  expect(started()).toEqual([
    {
      server: 'environment',
      child_pid: pid,
      session: 'l_sessio',
      workspace: 'ws',
      trust: 'direct',
      isolation: 'session',
      sandbox: false,
      listing: false,
    },
  ])
  const shared = await caller(serverOf({ isolation: 'shared' }))(contextOf(), 'environment')
  expect(ofOurs(shared)).toMatchObject({ PLASMID_SESSION_ID: 'operator' })
  expect(started()[1]).toMatchObject({ session: '', listing: false })
  await runtime.attach([serverOf({ owner: 'client' })], () => false)
  expect(started()[2]).toMatchObject({ session: '', listing: true })
})

describe.skipIf(reason)(`in a sandbox${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  test('P17, P18: two sessions in parallel never cross, in both modes and at both levels of trust', async () => {
    const { caller } = await start()
    const contexts = (['direct', 'sandboxed'] as const).flatMap((trust) =>
      ['one', 'two'].map((id): SessionContext =>
        contextOf({ trust, sessionId: `l_${trust}_${id}`, workspaceId: id, workspaceRoot: `/${id}` }),
      ),
    )
    for (const isolation of ['call', 'session'] as const) {
      const call = caller(serverOf({ trust: 'sandboxed', isolation }))
      const calls = [...contexts, ...contexts, ...contexts].map(async (context) => {
        expect(ofOurs(await call(context, 'environment'))).toMatchObject({
          PLASMID_SESSION_ID: context.sessionId,
          PARACHUTE_WORKSPACE_ID: context.workspaceId,
          PARACHUTE_TRUST_LEVEL: context.trust,
        })
      })
      await Promise.all(calls)
    }
  })
})

describe('P22: a server over HTTP', () => {
  /** Answers what it was sent: its headers, and the `_meta` of the request. */
  async function listen() {
    const seen: { headers: IncomingHttpHeaders; meta: unknown }[] = []
    const server = createServer((request, response) => {
      void text(request).then((body) => {
        const message: {
          id?: number
          method: string
          params?: { _meta?: unknown; protocolVersion?: string }
        } = JSON.parse(body || '{"method":""}')
        seen.push({ headers: request.headers, meta: message.params?.['_meta'] })
        if (message.id === undefined) return response.writeHead(202).end()
        const info = { protocolVersion: message.params?.protocolVersion, capabilities: { tools: {} } }
        const result =
          message.method === 'initialize'
            ? { ...info, serverInfo: { name: 'http', version: '1' } }
            : { content: [], structuredContent: {} }
        response.writeHead(200, { 'content-type': 'application/json' })
        return response.end(JSON.stringify({ jsonrpc: '2.0', id: message.id, result }))
      })
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    ends.push(async () => server.close())
    const address = server.address()
    return { seen, url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/mcp` }
  }

  test.each([false, true])('learns of the session if the operator says so: %s', async (sends) => {
    const { seen, url } = await listen()
    const { caller } = await start()
    const server = serverOf({
      start: { kind: 'http', url, headers: {} },
      ...(sends && { sendsContext: true as const }),
    })
    await caller(server)(contextOf({ workspaceId: 'ws', workspaceRoot: '/w' }), 'environment')
    expect(seen.length).toBeGreaterThan(1)
    for (const { headers, meta } of seen) {
      expect(headers['x-plasmid-session-id']).toBe(sends ? 'l_session' : undefined)
      expect(headers['x-parachute-trust-level']).toBe(sends ? 'direct' : undefined)
      expect(headers['x-plasmid-workspace-id']).toBe(sends ? 'ws' : undefined)
      if (!sends) expect(JSON.stringify(meta ?? {})).not.toContain('/w')
    }
    expect(seen.some(({ meta }) => JSON.stringify(meta ?? {}).includes('"workspace":"/w"'))).toBe(sends)
  })
})
