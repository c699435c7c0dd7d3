import { spawn, type ChildProcessWithoutNullStreams } from 'node:child_process'
import { once } from 'node:events'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client, StreamableHTTPClientTransport, type CallToolResult } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { endWithUs } from '../end-with-us.ts'
import { cleanEnv, PLASMID } from '../surfaces/plasmid-process.ts'

/** How a server is started: by the command line that users have. */
export interface Setup {
  /** The command of another edition; the built one's where nothing is said. */
  readonly main?: string
  readonly dataDir: string
  readonly catalogs: readonly string[]
  readonly flags?: readonly string[]
  readonly env?: Readonly<Record<string, string>>
}

/** What a tool answered: its text, and whether it refused. */
interface Told {
  readonly text: string
  readonly isError: boolean
}

/** An MCP client that calls tools. */
export interface Talk {
  readonly call: (tool: string, input: Readonly<Record<string, unknown>>) => Promise<Told>
  readonly leave: () => Promise<void>
}

/** `plasmid serve` as a process. */
export class ServeProcess {
  readonly url: string
  readonly token: string
  readonly #child: ChildProcessWithoutNullStreams
  readonly #gone: Promise<unknown>

  private constructor(
    child: ChildProcessWithoutNullStreams,
    gone: Promise<unknown>,
    url: string,
    token: string,
  ) {
    this.#child = child
    this.#gone = gone
    this.url = url
    this.token = token
  }

  /** Starts it and waits until it listens; throws with what it complained of where it does not. */
  static async start(setup: Setup): Promise<ServeProcess> {
    const child = spawn(
      process.execPath,
      [setup.main ?? PLASMID, 'serve', '--json', '--port', '0', ...argumentsOf(setup)],
      {
        env: environmentOf(setup),
      },
    )
    endWithUs(child)
    const gone = once(child, 'exit')
    let complaints = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => void (complaints += text))
    const lines = createInterface({ input: child.stdout })
    const first = await Promise.race([
      once(lines, 'line'),
      gone.then(() => ['']),
      once(lines, 'close').then(() => ['']),
    ])
    const line = String(first[0])
    if (!line.startsWith('{')) throw new Error(`the server did not start: ${complaints}`)
    const { url }: { readonly url: string } = JSON.parse(line)
    return new ServeProcess(child, gone, url, (await readFile(join(setup.dataDir, 'token'), 'utf8')).trim())
  }

  /** SIGKILL: it has no chance to write anything more. */
  async kill(signal: 'SIGKILL' | 'SIGTERM' = 'SIGKILL'): Promise<void> {
    this.#child.kill(signal)
    await this.#gone
  }

  async mcp(mode: 'legacy' | 'auto' = 'auto'): Promise<Talk> {
    const client = new Client({ name: 'nightly', version: '1' }, { versionNegotiation: { mode } })
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${this.url}/mcp`), {
        requestInit: { headers: this.headers() },
      }),
    )
    return talkOver(client)
  }

  /** The HTTP API; gives status and body. */
  async http(
    method: string,
    path: string,
    body?: object,
  ): Promise<{ readonly status: number; readonly text: string }> {
    const answer = await fetch(`${this.url}${path}`, {
      method,
      headers: { ...this.headers(), 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, text: await answer.text() }
  }

  headers(): Record<string, string> {
    return { authorization: `Bearer ${this.token}` }
  }
}

/** `plasmid mcp` as a host starts it: a process of its own, over standard input and output. */
export async function stdioTalk(setup: Setup): Promise<Talk> {
  const client = new Client({ name: 'nightly', version: '1' })
  const args = [setup.main ?? PLASMID, 'mcp', ...argumentsOf(setup)]
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args, env: environmentOf(setup) }),
  )
  return talkOver(client)
}

function argumentsOf({ dataDir, catalogs, flags = [] }: Setup): string[] {
  return ['--no-shipped', '--data-dir', dataDir, ...catalogs.flatMap((path) => ['--catalog', path]), ...flags]
}

function environmentOf({ env = {} }: Setup): Record<string, string> {
  // These tests send as fast as they can.
  return { ...cleanEnv(), PLASMID_REQUEST_RATE: 'none', ...env }
}

function talkOver(client: Client): Talk {
  return {
    call: async (name, input) => toldBy(await client.callTool({ name, arguments: { ...input } })),
    leave: () => client.close(),
  }
}

function toldBy({ content, isError }: CallToolResult): Told {
  const [first] = content
  return { text: first?.type === 'text' ? first.text : '', isError: isError === true }
}
