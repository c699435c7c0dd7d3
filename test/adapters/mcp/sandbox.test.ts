import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import { mkdir, mkdtemp, readFile, realpath, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { sandboxLaunch } from '../../../src/adapters/mcp/sandbox/launch.ts'
import { contextOf, ENVIRONMENT, runtimeWith, serverOf, SHOWN, whyNoSandbox } from './runtimes.ts'

const reason = whyNoSandbox()
const SANDBOXED = contextOf({ trust: 'sandboxed' })
let base: string
let ends: (() => Promise<void>)[]
beforeEach(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), 'plasmid-sandbox-')))
  ends = []
})
afterEach(() => Promise.all(ends.map((end) => end())))

async function start(settings: Parameters<typeof runtimeWith>[0] = {}) {
  const started = await runtimeWith(settings)
  ends.push(() => started.runtime.shutDown())
  return started
}

test('the environment and the options are no argument of a process', () => {
  const launch = sandboxLaunch(
    {
      command: 'node',
      args: ['x.mjs'],
      env: { TOKEN: 'secret\nwith=lines $(id)', LD_PRELOAD: '/evil.so' },
      cwd: '/w',
    },
    { bwrap: '/usr/bin/bwrap', network: false, hidden: ['/tmp'], secret: ['/data'], paths: [] },
  )
  expect(launch).toMatchObject({
    command: '/usr/bin/bwrap',
    args: ['--args', '3', '--', 'node', 'x.mjs'],
    env: {},
  })
  expect(launch.options?.replaceAll('\0', '|')).toBe(
    '--unshare-all|--die-with-parent|--cap-drop|ALL|--ro-bind|/|/|--dev|/dev|--proc|/proc|--tmpfs|/tmp|--tmpfs|/data|' +
      '--clearenv|--setenv|TOKEN|secret\nwith=lines $(id)|--setenv|LD_PRELOAD|/evil.so|--chdir|/w',
  )
})

test('a server that needs a sandbox is refused where bubblewrap is missing', async () => {
  const { caller } = await start({ searchPath: '/nonexistent' })
  for (const [trust, session] of [
    ['sandboxed', 'sandboxed'],
    ['sandboxed', 'direct'],
  ] as const)
    expect(await caller(serverOf({ trust }))(contextOf({ trust: session }), 'environment')).toMatchObject({
      problem: {
        code: 'mcp_sandbox_missing',
        message: expect.stringContaining('install the package bubblewrap'),
      },
    })
  expect(await caller(serverOf())(contextOf(), 'environment')).toMatchObject({ cwd: '/' })
})

test('a bubblewrap that does not work is none, and says why', async () => {
  await writeFile(
    join(base, 'bwrap'),
    '#!/bin/sh\necho "setting up uid map: Permission denied" >&2\nexit 1\n',
    {
      mode: 0o755,
    },
  )
  const { caller } = await start({ searchPath: base })
  expect(await caller(serverOf({ trust: 'sandboxed' }))(SANDBOXED, 'environment')).toMatchObject({
    problem: { code: 'mcp_sandbox_missing', message: expect.stringContaining('Permission denied') },
  })
})

describe.skipIf(reason)(`in a sandbox${reason === undefined ? '' : ` (skipped: ${reason})`}`, () => {
  test('P17: the context is inside, in both modes and at both levels of trust', async () => {
    const { caller } = await start()
    for (const isolation of ['call', 'session'] as const)
      for (const trust of ['direct', 'sandboxed'] as const) {
        const call = caller(serverOf({ trust: 'sandboxed', isolation }))
        const context = contextOf({ trust, sessionId: `l_${isolation}_${trust}`, workspaceId: 'ws' })
        const { env } = await call(context, 'environment')
        expect(env).toMatchObject({
          PLASMID_SESSION_ID: context.sessionId,
          PLASMID_WORKSPACE_ID: 'ws',
          PLASMID_TRUST_LEVEL: trust,
          PARACHUTE_SESSION_ID: context.sessionId,
        })
      }
  })

  test('a call has a process of its own, a session one for all its calls', async () => {
    const { caller } = await start()
    const marks = async (isolation: 'call' | 'session') => {
      const call = caller(serverOf({ trust: 'sandboxed', isolation }))
      await call(SANDBOXED, 'write_path', { path: '/tmp/mark' })
      return (await call(SANDBOXED, 'read_path', { path: '/tmp/mark' })).result
    }
    expect(await marks('call')).toBe('ENOENT')
    expect(await marks('session')).toBe('written')
  })

  test('nothing outside can be written', async () => {
    const { caller } = await start()
    const call = caller(serverOf({ trust: 'sandboxed' }))
    await mkdir(join(base, 'outside'))
    const own = join(base, 'outside', 'x')
    for (const path of ['/etc/plasmid-test', '/usr/plasmid-test', '/plasmid-test', ENVIRONMENT])
      expect(await call(SANDBOXED, 'write_path', { path }), path).toEqual({ result: 'EROFS' })
    expect(await call(SANDBOXED, 'write_path', { path: own })).toEqual({ result: 'ENOENT' })
    expect(await call(SANDBOXED, 'write_path', { path: '/tmp/own' })).toEqual({ result: 'done' })
    await expect(readFile('/tmp/own', 'utf8')).rejects.toThrow('ENOENT')
  })

  test('our data directory cannot be seen, not even through a shown folder', async () => {
    const data = join(base, 'shown', 'data')
    await mkdir(data, { recursive: true })
    await writeFile(join(data, 'secret'), 'the secret of the deployment')
    const { caller } = await start({ secret: [data], granted: [base] })
    const sandbox = { network: false, workspace: 'write' as const, paths: [...SHOWN, join(base, 'shown')] }
    const call = caller(serverOf({ trust: 'sandboxed', sandbox }))
    const context = { ...SANDBOXED, workspaceRoot: base }
    expect(await call(context, 'read_path', { path: join(data, 'secret') })).toEqual({ result: 'ENOENT' })
    expect(await call(context, 'list_path', { path: data })).toEqual({ result: '' })
    expect(await call(context, 'list_path', { path: join(base, 'shown') })).toEqual({ result: 'data' })
  })

  const isHome = SHOWN.some((path) => /^\/(home|root)\b/.test(path))
  test.skipIf(isHome)(
    'homes, sockets and other processes cannot be seen (skipped where Node is in a home)',
    async () => {
      const { caller } = await start()
      const call = caller(
        serverOf({ trust: 'sandboxed', sandbox: { network: false, workspace: 'none', paths: [] } }),
      )
      for (const path of ['/root', '/home', '/run', '/var/tmp'])
        expect(['', 'ENOENT', undefined]).toContain((await call(SANDBOXED, 'list_path', { path })).result)
      const { result = '' } = await call(SANDBOXED, 'list_path', { path: '/proc' })
      expect(result.split(',').filter((name) => /^\d+$/.test(name)).length).toBeLessThan(5)
      const { result: environ = '' } = await call(SANDBOXED, 'read_path', { path: '/proc/1/environ' })
      expect(environ).not.toContain('PATH=')
    },
  )

  test('the network is out of reach unless it is allowed', async () => {
    const listener = createServer((_, answer) => answer.end('here')).listen(0, '127.0.0.1')
    await new Promise((resolve) => listener.once('listening', resolve))
    const address = listener.address()
    const port = typeof address === 'object' && address ? address.port : 0
    const { caller } = await start()
    const reach = async (network: boolean) => {
      const call = caller(
        serverOf({ trust: 'sandboxed', sandbox: { network, workspace: 'none', paths: SHOWN } }),
      )
      return (await call(SANDBOXED, 'reach', { port })).result
    }
    expect(await reach(false)).toBe('ECONNREFUSED')
    expect(await reach(true)).toBe('done')
    listener.close()
  })

  test('the workspace is mounted as it is stated', async () => {
    const { caller } = await start({ granted: [base] })
    await writeFile(join(base, 'file'), 'content')
    const context = { ...SANDBOXED, workspaceRoot: base }
    const path = join(base, 'file')
    const tries = async (workspace: 'none' | 'read' | 'write') => {
      const call = caller(
        serverOf({ trust: 'sandboxed', sandbox: { network: false, workspace, paths: SHOWN } }),
      )
      const read = await call(context, 'read_path', { path })
      return [read.result, (await call(context, 'write_path', { path: join(base, 'new') })).result]
    }
    expect(await tries('none')).toEqual(['ENOENT', 'ENOENT'])
    expect(await tries('read')).toEqual(['content', 'EROFS'])
    expect(await tries('write')).toEqual(['content', 'done'])
    expect(await readFile(join(base, 'new'), 'utf8')).toBe('written')
  })

  test('a folder that the operator did not list is never mounted', async () => {
    const { caller } = await start()
    const sandbox = { network: false, workspace: 'write' as const, paths: SHOWN }
    const call = caller(serverOf({ trust: 'sandboxed', sandbox }))
    expect(await call({ ...SANDBOXED, workspaceRoot: base }, 'environment')).toMatchObject({
      problem: { code: 'mcp_workspace_not_granted' },
    })
    expect(await call(SANDBOXED, 'environment')).toMatchObject({ cwd: '/' })
  })

  test('a program that the sandbox hides is named', async () => {
    const program = join(base, 'server')
    await symlink(process.execPath, program)
    const { caller } = await start()
    const stdio = { kind: 'stdio', command: program, args: [ENVIRONMENT], env: {}, cwd: '/' } as const
    const hidden = caller(serverOf({ trust: 'sandboxed', start: stdio }))
    expect(await hidden(SANDBOXED, 'environment')).toMatchObject({
      problem: { code: 'mcp_sandbox_hides', message: expect.stringContaining(program) },
    })
    const sandbox = { network: false, workspace: 'none' as const, paths: [...SHOWN, base] }
    const shown = caller(serverOf({ trust: 'sandboxed', start: stdio, sandbox }))
    expect(await shown(SANDBOXED, 'environment')).toMatchObject({ cwd: '/' })
  })

  test("a client's variables reach the server, and not what makes its sandbox", async () => {
    const { caller } = await start()
    const env = { PATH: base, LD_PRELOAD: '/nonexistent.so', PLASMID_TRUST_LEVEL: 'direct' }
    await writeFile(join(base, 'bwrap'), '#!/bin/sh\nexit 0\n', { mode: 0o755 })
    const stdio = { kind: 'stdio', command: process.execPath, args: [ENVIRONMENT], env, cwd: '/' } as const
    const call = caller(serverOf({ owner: 'client', trust: 'sandboxed', start: stdio }))
    const answer = await call(SANDBOXED, 'environment')
    expect(answer.env).toMatchObject({ LD_PRELOAD: '/nonexistent.so', PLASMID_TRUST_LEVEL: 'sandboxed' })
    expect(await call(SANDBOXED, 'write_path', { path: '/etc/x' })).toEqual({ result: 'EROFS' })
  })

  test('its environment is in no list of processes', async () => {
    const { caller } = await start()
    const env = { API_TOKEN: 'value-of-a-token' }
    const stdio = { kind: 'stdio', command: process.execPath, args: [ENVIRONMENT], env, cwd: '/' } as const
    const answer = await caller(serverOf({ trust: 'sandboxed', start: stdio }))(SANDBOXED, 'environment')
    expect(answer.env?.['API_TOKEN']).toBe('value-of-a-token')
    expect(execFileSync('ps', ['-eo', 'args']).toString()).not.toContain('value-of-a-token')
  })
})
