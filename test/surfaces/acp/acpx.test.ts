import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENVIRONMENT } from '../../adapters/mcp/runtimes.ts'
import { installedPackage } from '../../installed-package.ts'
import { PLASMID } from '../plasmid-process.ts'
import { linesOf } from '../test-server.ts'
import { AcpBench } from './driver.ts'
import { type Frame, wrongWith } from './frames.ts'

// It asks for a newer Node than `engines` of this project, whose own installation would refuse it.
const { path: ACPX, why } = await installedPackage(
  fileURLToPath(new URL('acpx', import.meta.url)),
  'acpx/dist/cli.js',
  '--omit=optional',
)

describe.skipIf(why)(`a client that others wrote${why ? ` (${why})` : ''}`, () => {
  let bench: AcpBench
  let home = ''
  let config = ''
  beforeAll(async () => {
    bench = await AcpBench.open()
    home = await mkdtemp(join(tmpdir(), 'plasmid-acpx-'))
    config = join(home, 'mcp.json')
    const env = [{ name: 'OWN', value: 'of the client' }]
    const server = { name: 'told', command: process.execPath, args: [ENVIRONMENT], env }
    await writeFile(config, JSON.stringify({ mcpServers: [server] }))
    await mkdir(join(home, 'project'))
  })
  afterAll(async () => {
    await bench.close()
    await rm(home, { recursive: true, force: true, maxRetries: 5 })
  })

  /** Runs acpx to its end; its frames are printed as JSON, or what the agent says as text. */
  async function acpx(format: 'json' | 'text', ...words: readonly string[]): Promise<string> {
    const agent = [process.execPath, PLASMID, 'acp', ...bench.flags].join(' ')
    const args = ['--agent', agent, '--approve-all', '--format', format, '--ttl', '2', '--mcp-config', config]
    const child = spawn(process.execPath, [ACPX, ...args, ...words], {
      // Short values, so that the whole environment of a server fits into a cell.
      env: { PATH: '/bin', HOME: home },
      cwd: join(home, 'project'),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    // A race of its own, on a slow machine: the process that keeps the session ends as the prompt reaches it.
    if (`${stdout}${stderr}`.includes('Queue owner is shutting down')) return acpx(format, ...words)
    expect([code, stderr]).toEqual([0, expect.not.stringContaining('rror')])
    return stdout
  }

  /** The process of the client's own server, and the session that it is told. */
  async function told() {
    const said = await acpx('text', 'prompt', 'e2.environment(note="x")')
    const field = (name: string) => new RegExp(`"${name}":"?([^",}]*)`).exec(said)?.[1]
    return { own: field('OWN'), session: field('PLASMID_SESSION_ID'), pid: field('pid') }
  }

  test('exec runs one prompt, with frames that are correct', async () => {
    const frames: Frame[] = linesOf(await acpx('json', 'exec', '/help'))
    const said = frames.filter(({ method }) => method === 'session/update')
    expect(said.flatMap((frame) => wrongWith(frame, undefined))).toEqual([])
    expect(JSON.stringify(said)).toContain('A program is one string with real line breaks.')
    expect(JSON.stringify(frames)).toContain('"stopReason":"end_turn"')
  }, 120_000)

  test('a session and its MCP server are resumed across processes, and a write is approved', async () => {
    await acpx('text', 'sessions', 'new')
    expect(await acpx('text', 'prompt', '/context shop:Customer told:Tools')).toContain('plasm_expr')
    expect(await acpx('text', 'prompt', 'e1("c1")[name]')).toContain('Customer 1')
    const first = await told()
    expect(first).toEqual({
      own: 'of the client',
      session: expect.stringMatching(/^l_/),
      pid: expect.stringMatching(/^\d+$/),
    })
    // The process that keeps the session ends after two idle seconds: the next prompt starts another one.
    const other = await bench.start()
    await other.ask(await other.open(bench.cwd), '/sleep 4')
    expect(await acpx('text', 'prompt', 'e1("c2")[name]')).toContain('Customer 2')
    const second = await told()
    expect(second).toMatchObject({ own: first.own, session: first.session })
    expect(second.pid).not.toBe(first.pid)
    expect(await acpx('text', 'prompt', 'e1("c3").delete()')).toContain('1 done')
    expect(bench.api.requests).toContain('DELETE /v1/customers/c3')
  }, 180_000)
})
