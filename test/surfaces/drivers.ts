import { expect } from 'vitest'
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { plasmid } from './plasmid.ts'
import { cleanEnv, PLASMID } from './plasmid-process.ts'
import { jsonOf, textOf } from './test-server.ts'
import { serveHere } from './server-here.ts'
import type { Server } from './server-process.ts'

type Input = Readonly<Record<string, unknown>>

/** One way to reach the engine, seen from outside: the text that each request answers. */
export interface Driver {
  readonly discover: (input: Input) => Promise<string>
  readonly context: (input: Input) => Promise<string>
  readonly plan: (input: Input) => Promise<string>
  readonly run: (input: Input) => Promise<string>
  readonly page: (handle: string) => Promise<string>
  /** The results behind a link, as JSON; absent where the surface has no links to follow. */
  readonly snapshot?: (uri: string) => Promise<string>
  readonly close: () => Promise<void>
}

/** Every surface, by name: each opens a new server over the same data, MCP over stdio in a process of its own. */
export const SURFACES: Readonly<
  Record<string, (dataDir: string, engine: readonly string[]) => Promise<Driver>>
> = {
  'MCP over stdio': async (dataDir, engine) => {
    const args = [PLASMID, 'mcp', '--data-dir', dataDir, ...engine]
    const client = clientOf('auto')
    await client.connect(new StdioClientTransport({ command: process.execPath, args, env: cleanEnv() }))
    return tools(client, () => client.close())
  },
  'MCP over HTTP, legacy': (dataDir, engine) => mcpOverHttp('legacy', dataDir, engine),
  'MCP over HTTP, modern': (dataDir, engine) => mcpOverHttp('auto', dataDir, engine),
  'the HTTP API': async (dataDir, engine) => http(await serveHere(dataDir, engine)),
  'the command line': async (dataDir, engine) => commandLine([...engine, '--data-dir', dataDir]),
}

function clientOf(mode: 'legacy' | 'auto'): Client {
  return new Client({ name: 'test', version: '1' }, { versionNegotiation: { mode } })
}

async function mcpOverHttp(
  mode: 'legacy' | 'auto',
  dataDir: string,
  engine: readonly string[],
): Promise<Driver> {
  const server = await serveHere(dataDir, engine)
  const client = clientOf(mode)
  const headers = { authorization: `Bearer ${server.token}` }
  await client.connect(
    new StreamableHTTPClientTransport(new URL(`${server.url}/mcp`), { requestInit: { headers } }),
  )
  return tools(client, async () => {
    await client.close()
    await server.kill()
  })
}

function tools(client: Client, close: () => Promise<void>): Driver {
  const call = (name: string) => async (input: Input) => {
    const answer = await client.callTool({ name, arguments: { ...input } })
    return answer.isError ? refusal(textOf(answer)) : textOf(answer)
  }
  const run = call('plasm_run')
  return {
    discover: call('discover_capabilities'),
    context: call('plasm_context'),
    plan: call('plasm'),
    run,
    page: (handle) => run({ logical_session_ref: handle.split('_')[0], program: `page(${handle})` }),
    snapshot: async (uri) => {
      const [content] = (await client.readResource({ uri })).contents
      return content && 'text' in content ? content.text : ''
    },
    close,
  }
}

/** The text of an answer or a refusal; checks that its status and type fit. */
async function told(response: Response): Promise<string> {
  if (!response.ok) return refusal((await jsonOf<{ readonly detail: string }>(response)).detail)
  const isMarkdown = response.headers.get('content-type')?.startsWith('text/markdown')
  return isMarkdown ? response.text() : (await jsonOf<{ readonly text: string }>(response)).text
}

function refusal(text: string): string {
  return `(refused) ${text}`
}

function http({ send, kill }: Server): Driver {
  const program =
    (action: string) =>
    async ({ logical_session_ref: ref, ...body }: Input) =>
      told(await send('POST', `/v1/contexts/${String(ref)}/${action}`, body))
  return {
    discover: async (input) => told(await send('POST', '/v1/discover', input)),
    context: async (input) => told(await send('POST', '/v1/contexts', input)),
    plan: program('plan'),
    run: program('run'),
    page: async (handle) =>
      told(await send('GET', `/v1/pages/${handle}`, undefined, { accept: 'text/markdown' })),
    snapshot: async (uri) => {
      const path = uri.replace(/^plasm:\/\/session\/(\w+)\/r\//, '/v1/contexts/$1/snapshots/')
      const { results } = await jsonOf<{ readonly results: unknown }>(await send('GET', path))
      return JSON.stringify(results)
    },
    close: () => kill(),
  }
}

/** Those of the keys that the input has, as flags. */
function flags(input: Input, names: Readonly<Record<string, string>>): readonly string[] {
  return Object.entries(names).flatMap(([key, flag]) => (key in input ? [flag, String(input[key])] : []))
}

/** A process for every request. */
function commandLine(engine: readonly string[]): Driver {
  const run = async (...args: readonly string[]) => {
    const { code, stdout, stderr } = await plasmid([...args, '--json', ...engine])
    const answer: { readonly ok: boolean; readonly text: string; readonly detail: string } =
      JSON.parse(stdout)
    // An answer is one line, and nothing stands besides.
    expect([code === 0, stderr, stdout.trimEnd().includes('\n')]).toEqual([answer.ok, '', false])
    return answer.ok ? answer.text : refusal(answer.detail)
  }
  const program = (command: string) => (input: Input) =>
    run(command, String(input['program']), ...flags(input, { logical_session_ref: '--ref', plan: '--plan' }))
  return {
    discover: ({ intent }) => run('discover', String(intent)),
    context: (input) => {
      const seeds = Array.isArray(input['seeds']) ? input['seeds'] : []
      return run(
        'context',
        ...flags(input, { intent: '--intent', logical_session_ref: '--ref', have: '--have' }),
        ...seeds.flatMap(({ api, entity }: Readonly<Record<string, string>>) => [
          '--seed',
          `${api}:${entity}`,
        ]),
      )
    },
    plan: program('plan'),
    run: program('run'),
    page: (handle) => run('page', handle),
    close: async () => undefined,
  }
}
