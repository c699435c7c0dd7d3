import { execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, realpath, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENVIRONMENT, SHOWN, whyNoSandbox } from '../adapters/mcp/runtimes.ts'
import { plasmid } from './plasmid.ts'
import { cleanEnv, PLASMID } from './plasmid-process.ts'
import { serve, type Served } from './server-process.ts'
import { jsonOf } from './test-server.ts'

/* From a host's announcement to the process of a server: through the built command, and the example of the documentation. */

const NOTES = fileURLToPath(new URL('../../docs/examples/notes-server.mjs', import.meta.url))
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url))
const reason = whyNoSandbox()

let base: string
let server: Served
/** Ended at the end, also where a test failed. */
const servers: Served[] = []
beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'plasmid-context-')))
  for (const folder of ['one', 'two', 'closed', 'cloned/.plasmid', 'notes'])
    await mkdir(join(base, folder), { recursive: true })
  await writeFile(
    join(base, 'cloned/.plasmid/workspace.yaml'),
    `workspace_id: one\nmcp_servers: {evil: {command: touch, args: [${join(base, 'started')}]}}\n`,
  )
  await writeFile(
    join(base, 'cloned/.mcp.json'),
    `{"mcpServers":{"evil":{"command":"touch","args":["${join(base, 'started')}"]}}}`,
  )
  server = await serve(join(base, 'data'), ['--config', await configFile('http')])
  servers.push(server)
})
afterAll(() => Promise.all(servers.map((one) => one.kill())))

/** The settings: the same two programs as servers of both levels of trust; each server costs a process that lists it. */
async function configFile(mark: string, only?: readonly string[]): Promise<string> {
  const path = join(base, `${mark}.yaml`)
  const shown = [...SHOWN, join(NOTES, '..'), MODULES]
  const node = process.execPath
  const settings = {
    shipped: false,
    log_level: 'info',
    workspace_header: 'x-workspace',
    workspaces: [
      { root: join(base, 'one'), id: 'one' },
      { root: join(base, 'two'), id: 'two' },
      { root: join(base, 'closed'), id: 'closed', trust: 'sandboxed' },
    ],
    effects: { '*': 'allow' },
    mcp_servers: {
      notes: { command: node, args: [NOTES, join(base, 'notes')], reads: 'annotated' },
      placed: {
        command: node,
        args: [NOTES, join(base, 'notes')],
        reads: 'annotated',
        needs_workspace: true,
      },
      limited: { command: node, args: [NOTES, join(base, 'notes')], reads: 'annotated', workspaces: ['two'] },
      plain: { command: node, args: [ENVIRONMENT, mark], reads: 'annotated' },
      ...(reason === undefined && {
        boxed: {
          command: node,
          args: [NOTES, '/tmp/notes'],
          reads: 'annotated',
          trust: 'sandboxed',
          sandbox: { paths: shown },
        },
        boxed_plain: {
          command: node,
          args: [ENVIRONMENT, mark],
          reads: 'annotated',
          trust: 'sandboxed',
          sandbox: { paths: shown },
        },
        boxed_call: {
          command: node,
          args: [ENVIRONMENT, mark],
          reads: 'annotated',
          trust: 'sandboxed',
          isolation: 'call',
          sandbox: { paths: shown },
        },
      }),
    },
  }
  const chosen = Object.entries(settings.mcp_servers).filter(([name]) => only?.includes(name) ?? true)
  await writeFile(path, JSON.stringify({ ...settings, mcp_servers: Object.fromEntries(chosen) }), {
    mode: 0o600,
  })
  return path
}

interface Ran {
  readonly results: readonly { readonly rows: readonly Readonly<Record<string, unknown>>[] }[]
  readonly detail?: string
}

function refIn(told = ''): string {
  return /^`(s\d+)`/.exec(told)?.[1] ?? ''
}

/** Opens a session of an intent in a workspace and runs programs in it. */
async function session(intent: string, workspace: string, api = 'notes', entity = 'Note') {
  const headers: Record<string, string> = workspace === '' ? {} : { 'x-workspace': join(base, workspace) }
  const opened = await server.send('POST', '/v1/contexts', { intent, seeds: [{ api, entity }] }, headers)
  const { text: told, detail } = await jsonOf<{ readonly text?: string; readonly detail?: string }>(opened)
  const ref = refIn(told)
  const { long_ref: longRef } = await jsonOf<Record<string, string>>(
    await server.send('GET', `/v1/contexts/${ref}`),
  )
  const run = async (program: string) =>
    jsonOf<Ran>(await server.send('POST', `/v1/contexts/${ref}/run`, { program }, headers))
  return { ref, longRef, detail, run }
}

test('P16, P18, P23: two sessions in parallel each see their own workspace and session', async () => {
  const one = await session('the goal of one', 'one')
  const two = await session('the goal of two', 'two')
  await Promise.all(
    Array.from({ length: 4 }, async (_, at) => {
      await Promise.all([one.run(`e1.add(text="one ${at}")`), two.run(`e1.add(text="two ${at}")`)])
    }),
  )
  for (const [name, { run, longRef }] of [
    ['one', one],
    ['two', two],
  ] as const) {
    const { results } = await run('e1')
    expect(results[0]?.rows).toHaveLength(4)
    for (const row of results[0]?.rows ?? [])
      expect(row).toMatchObject({ text: expect.stringContaining(name), session: longRef })
  }
  expect((await readdir(join(base, 'notes'))).toSorted()).toEqual(['one.jsonl', 'two.jsonl'])
})

test('a server that is not of the workspace does not exist in it', async () => {
  expect((await session('limited', 'one', 'limited')).detail).toContain('unknown_api')
  expect((await session('limited', '', 'limited')).detail).toContain('unknown_api')
  expect((await session('limited', 'two', 'limited')).detail).toBeUndefined()
})

test('O9: a server that needs a workspace is refused without one, before it is called', async () => {
  expect((await session('placed', '', 'placed')).detail).toContain('missing_workspace')
  const { ref, run } = await session('placed', 'one', 'placed')
  expect((await run('e1')).results).toHaveLength(1)
  const refused = await server.send('POST', `/v1/contexts/${ref}/run`, { program: 'e1' })
  expect(await refused.text()).toContain('missing_workspace')
  const explicit = { program: 'e1', workspace: join(base, 'two') }
  expect((await server.send('POST', `/v1/contexts/${ref}/run`, explicit)).status).toBe(200)
})

test('a cloned repository starts nothing, names nothing and widens nothing', async () => {
  const { detail } = await session('cloned', 'cloned')
  expect(detail).toContain('workspace_file_invalid')
  await writeFile(join(base, 'cloned/.plasmid/workspace.yaml'), 'workspace_id: two\n')
  expect((await session('cloned', 'cloned', 'limited')).detail).toContain('workspace_claimed')
  await writeFile(join(base, 'cloned/.plasmid/workspace.yaml'), 'workspace_id: own\n')
  expect((await session('cloned', 'cloned', 'limited')).detail).toContain('unknown_api')
  const { results } = await (await session('cloned', 'cloned')).run('e1')
  expect(results[0]?.rows).toEqual([])
  expect(existsSync(join(base, 'started'))).toBe(false)
})

test('P10: a sandboxed session has no server of direct trust', async () => {
  expect((await session('closed', 'closed', 'notes')).detail).toContain('unknown_api')
  const registry = await server.send('GET', '/v1/registry', undefined, {
    'x-workspace': join(base, 'closed'),
  })
  const { entries } = await jsonOf<{ readonly entries: readonly { readonly entry_id: string }[] }>(registry)
  expect(entries.map(({ entry_id: id }) => id)).toEqual(
    reason === undefined ? ['boxed', 'boxed_call', 'boxed_plain'] : [],
  )
})

describe.skipIf(reason)(`in a sandbox${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  test('P17, P24: a server reads the trust of its session, and refuses what it gives to direct ones only', async () => {
    const direct = await session('boxed, direct', 'one', 'boxed')
    expect((await direct.run('e1.add(text="x")')).results[0]?.rows).toEqual([
      { text: 'x', session: direct.longRef },
    ])
    const sandboxed = await session('boxed, sandboxed', 'closed', 'boxed')
    expect((await sandboxed.run('e1.add(text="x")')).detail).toContain(
      'A sandboxed session cannot add notes.',
    )
    expect((await sandboxed.run('e1')).results[0]?.rows).toEqual([])
  })

  test.each([
    ['P16, P17, P18: one process a session', 'boxed_plain'],
    ['P16, P17, P18: one process a call', 'boxed_call'],
  ])(
    '%s: the context of parallel sessions of both levels of trust arrives and never crosses',
    async (_, api) => {
      const places = ['one', 'two', 'closed'] as const
      const sessions = await Promise.all(places.map((at) => session(`${api} in ${at}`, at, api, 'Tools')))
      const calls = [...sessions, ...sessions, ...sessions].map(async ({ run, longRef }, index) => {
        const workspace = places[index % places.length]
        const { results } = await run('e1.environment(note="x")')
        expect(results[0]?.rows[0]?.['data']).toMatchObject({
          env: {
            PLASMID_SESSION_ID: longRef,
            PLASMID_WORKSPACE_ID: workspace,
            PLASMID_TRUST_LEVEL: workspace === 'closed' ? 'sandboxed' : 'direct',
          },
        })
      })
      await Promise.all(calls)
    },
    60_000,
  )
})

test('P25: each call of a tool is on record, without the values of its arguments', async () => {
  const own = join(base, 'recorded')
  const child = spawn(
    process.execPath,
    [PLASMID, 'mcp', '--data-dir', own, '--config', await configFile('recorded', ['notes'])],
    {
      env: cleanEnv(),
    },
  )
  const log = text(child.stderr)
  const open = { intent: 'record', seeds: [{ api: 'notes', entity: 'Note' }] }
  const frames = [
    [
      'initialize',
      { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'raw', version: '1' } },
    ],
    ['tools/call', { name: 'plasm_context', arguments: open }],
    [
      'tools/call',
      {
        name: 'plasm_run',
        arguments: { logical_session_ref: 's0', program: 'e1.add(text="a private note")' },
      },
    ],
  ] as const
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  for (const [id, [method, params]] of frames.entries()) {
    const meta = { plasmid: { workspace: join(base, 'one') } }
    const withMeta = id === 0 ? { ...params, _meta: meta } : params
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params: withMeta })}\n`)
    await answers.next()
  }
  child.stdin.end()
  const lines = (await log).split('\n').filter((line) => line.startsWith('{'))
  const events: readonly Record<string, unknown>[] = lines.map((line) => JSON.parse(line))
  const of = (name: string) => events.filter((event) => event['msg'] === name)
  expect(of('api_call')).toEqual([
    expect.objectContaining({
      catalog: 'notes',
      tool: 'add_note',
      arguments: 'text',
      workspace: 'one',
      trust: 'direct',
      logical_session_id: expect.any(String),
      ok: true,
    }),
  ])
  // P14: what the server itself says at its start, and at each call.
  const said = of('mcp_output').map(({ line }) => String(line))
  expect(said).toContainEqual(
    expect.stringMatching(/^notes: started with session=l_.{6} workspace=one trust=direct pid=\d+$/),
  )
  expect(said).toContainEqual(expect.stringContaining('tool=add_note'))
  expect(await log).not.toContain('a private note')
})

test('P14: the example warns without a context, and works', async () => {
  const child = spawn(process.execPath, [NOTES, join(base, 'alone')], { env: { PATH: process.env['PATH'] } })
  const log = text(child.stderr)
  const clientInfo = { name: 'raw', version: '1' }
  const answers = createInterface({ input: child.stdout })[Symbol.asyncIterator]()
  for (const [id, [method, params]] of [
    ['initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }] as const,
    ['tools/call', { name: 'list_notes', arguments: {} }] as const,
  ].entries()) {
    child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`)
    const { value } = await answers.next()
    if (id === 1)
      expect(JSON.parse(String(value))).toMatchObject({ result: { structuredContent: { notes: [] } } })
  }
  child.stdin.end()
  expect(await log).toContain('legacy mode')
})

test('P26: starts of servers are counted by what they were told', async () => {
  const metrics = await (await server.send('GET', '/metrics')).text()
  expect(metrics).toMatch(/plasmid_mcp_starts_total\{server="notes",context="session",sandbox="no"\} [1-9]/)
  expect(metrics).not.toContain('context="none"')
})

/** The processes whose arguments hold the mark. */
function running(mark: string): number {
  const lines = execFileSync('ps', ['-eo', 'args']).toString().split('\n')
  return lines.filter((line) => line.includes(ENVIRONMENT) && line.endsWith(` ${mark}`)).length
}

test('kill -9 of ours leaves no server behind, in a sandbox or outside', async () => {
  const mark = `killed${process.pid}`
  const apis = ['plain', ...(reason === undefined ? ['boxed_plain'] : [])]
  const own = await serve(join(base, mark), ['--config', await configFile(mark, apis)])
  servers.push(own)
  for (const api of apis) {
    const seeds = [{ api, entity: 'Tools' }]
    const opened = await own.send('POST', '/v1/contexts', { intent: api, seeds })
    const ref = refIn((await jsonOf<{ readonly text: string }>(opened)).text)
    const ran = await own.send('POST', `/v1/contexts/${ref}/run`, { program: 'e1.environment(note="x")' })
    expect(ran.status).toBe(200)
  }
  expect(running(mark)).toBeGreaterThanOrEqual(apis.length)
  await own.kill('SIGKILL')
  await expect.poll(() => running(mark)).toBe(0)
}, 60_000)

test('the command line calls a server in the workspace that was typed', async () => {
  const flags = ['--data-dir', join(base, 'cli'), '--config', await configFile('cli', ['notes'])]
  const workspace = ['--workspace', join(base, 'two')]
  await plasmid(['context', '--intent', 'x', '--seed', 'notes:Note', ...workspace, ...flags])
  const { stdout } = await plasmid(['run', '--ref', 's0', 'e1', ...workspace, ...flags])
  expect(stdout).toContain('two 0')
})
