import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable, Writable } from 'node:stream'
import { expect } from 'vitest'
import { endWithUs } from '../../end-with-us.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'
import { startShopApi, type ShopApi } from '../shop-api.ts'
import { stdioHere } from '../stdio-here.ts'
import { SHOP } from '../test-server.ts'
import { type Frame, wrongWith } from './frames.ts'

/** What a permission request is answered with. */
export type Permission = 'allow' | 'reject' | 'cancelled' | 'unknown' | 'error' | 'never'

/** An update of a session, as a client sees it. */
export interface Update {
  readonly sessionUpdate: string
  readonly [key: string]: unknown
}

/** The input and output of an agent. */
interface Line {
  readonly input: Writable
  readonly output: Readable
  /** Its exit code. */
  readonly ended: Promise<number | null>
}

/** `plasmid acp`, driven by raw lines. Every frame that it writes is checked. */
export class AcpAgent {
  /** Every line of standard output, in order. */
  readonly frames: Frame[] = []
  readonly wrong: string[] = []
  stderr = ''
  permission: Permission = 'allow'
  /** The permission requests of the agent. */
  readonly asked: Frame[] = []
  readonly #waiting = new Map<number | string, (frame: Frame) => void>()
  readonly #methods = new Map<number | string, string>()
  readonly #line: Line
  #next = 1

  constructor(line: Line) {
    this.#line = line
    createInterface({ input: line.output }).on('line', (text) => this.#take(text))
  }

  #take(line: string): void {
    let frame: Frame
    try {
      frame = JSON.parse(line)
    } catch {
      this.wrong.push(`no JSON: ${line.slice(0, 200)}`)
      return
    }
    this.frames.push(frame)
    const id = frame.id ?? undefined
    const asked = id === undefined || frame.method !== undefined ? undefined : this.#methods.get(id)
    const isUnreadable = frame.id === null && frame.error !== undefined
    if (!isUnreadable) this.wrong.push(...wrongWith(frame, asked))
    if (frame.method === 'session/request_permission') this.#permit(frame)
    if (frame.method === undefined && id !== undefined) {
      this.#waiting.get(id)?.(frame)
      this.#waiting.delete(id)
    }
  }

  #permit(frame: Frame): void {
    this.asked.push(frame)
    if (this.permission === 'never') return
    if (this.permission === 'error') {
      this.write({ jsonrpc: '2.0', id: frame.id, error: { code: -32601, message: 'no permissions here' } })
      return
    }
    const optionId = { allow: 'allow', reject: 'reject', unknown: 'something else', cancelled: '' }[
      this.permission
    ]
    const outcome =
      this.permission === 'cancelled' ? { outcome: 'cancelled' } : { outcome: 'selected', optionId }
    this.write({ jsonrpc: '2.0', id: frame.id, result: { outcome } })
  }

  write(frame: object): void {
    this.raw(`${JSON.stringify(frame)}\n`)
  }

  raw(text: string): void {
    this.#line.input.write(text)
  }

  notify(method: string, params: object): void {
    this.write({ jsonrpc: '2.0', method, params })
  }

  /** Sends a request; gives the id and the whole answer. */
  send(method: string, params: unknown): { readonly id: number; readonly answer: Promise<Frame> } {
    const id = this.#next++
    this.#methods.set(id, method)
    const answer = new Promise<Frame>((resolve, reject) => {
      this.#waiting.set(id, resolve)
      void this.#line.ended.then(() => reject(new Error(`the agent ended: ${this.stderr}`)))
    })
    this.write({ jsonrpc: '2.0', id, method, params })
    return { id, answer }
  }

  request(method: string, params: unknown): Promise<Frame> {
    return this.send(method, params).answer
  }

  initialize(more: object = {}): Promise<Frame> {
    return this.request('initialize', { protocolVersion: 1, clientCapabilities: {}, ...more })
  }

  /** Starts a session; gives its id. */
  async open(cwd: string, more: object = {}): Promise<string> {
    const { result } = await this.request('session/new', { cwd, mcpServers: [], ...more })
    const id = result?.['sessionId']
    if (typeof id !== 'string') throw new Error('no session')
    return id
  }

  /** Sends a prompt of one text. */
  prompt(sessionId: string, text: string): Promise<Frame> {
    return this.request('session/prompt', { sessionId, prompt: [{ type: 'text', text }] })
  }

  /** The updates of a session from this frame on. */
  updates(sessionId: string, from = 0): Update[] {
    return this.frames.slice(from).flatMap(({ method, params }) => {
      if (method !== 'session/update' || params?.['sessionId'] !== sessionId) return []
      return isUpdate(params['update']) ? [params['update']] : []
    })
  }

  /** What the agent said in its messages, from this frame on. */
  said(sessionId: string, from = 0): string {
    return this.updates(sessionId, from)
      .filter(({ sessionUpdate }) => sessionUpdate === 'agent_message_chunk')
      .map(textOf)
      .join('\n\n')
  }

  /** Sends a prompt of one text; gives what the agent said. */
  async ask(sessionId: string, text: string): Promise<string> {
    const from = this.frames.length
    expect(await this.prompt(sessionId, text)).toMatchObject({ result: { stopReason: 'end_turn' } })
    return this.said(sessionId, from)
  }

  /** Ends the input; gives the exit code. */
  async end(): Promise<number | null> {
    this.#line.input.end()
    return this.gone()
  }

  gone(): Promise<number | null> {
    return this.#line.ended
  }
}

/** One in a process of its own. */
export class AcpProcess extends AcpAgent {
  readonly child: ChildProcess

  constructor(args: readonly string[], env: Readonly<Record<string, string>>) {
    const child = spawn(process.execPath, [PLASMID, 'acp', ...args], {
      env: { ...cleanEnv(), ...env },
      cwd: '/',
    })
    endWithUs(child)
    child.stdin.on('error', () => undefined)
    super({ input: child.stdin, output: child.stdout, ended: once(child, 'exit').then(([code]) => code) })
    child.stderr.on('data', (chunk: Buffer) => (this.stderr += chunk.toString()))
    this.child = child
  }

  async kill(): Promise<void> {
    this.child.kill('SIGKILL')
    await this.gone()
  }
}

function isUpdate(value: unknown): value is Update {
  return typeof value === 'object' && value !== null && 'sessionUpdate' in value
}

/** The text of a message. */
function textOf({ content }: Update): string {
  return typeof content === 'object' && content !== null && 'text' in content ? String(content.text) : ''
}

/** A store, an API and a directory, shared by the agents of one test file. */
export class AcpBench {
  readonly api: ShopApi
  readonly dir: string
  /** A directory to work in. */
  readonly cwd: string
  readonly #started: AcpAgent[] = []

  private constructor(api: ShopApi, dir: string) {
    this.api = api
    this.dir = dir
    this.cwd = dir
  }

  static async open(): Promise<AcpBench> {
    return new AcpBench(await startShopApi(), await mkdtemp(join(tmpdir(), 'plasmid-acp-')))
  }

  /** The flags that every surface over this store takes. */
  get flags(): readonly string[] {
    const catalogs = ['--no-shipped', '--catalog', SHOP, '--backend', `shop=${this.api.url}`]
    return ['--data-dir', join(this.dir, 'data'), ...catalogs]
  }

  /** An agent in this process that was initialized. */
  async start(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<AcpAgent> {
    const agent = await this.launch(more, env)
    await agent.initialize()
    return agent
  }

  async launch(more: readonly string[] = [], env: Readonly<Record<string, string>> = {}): Promise<AcpAgent> {
    const { stdin, stdout, ended } = await stdioHere(['acp', ...this.flags, ...more], env)
    const agent = new AcpAgent({ input: stdin, output: stdout, ended })
    this.#started.push(agent)
    return agent
  }

  /** One in a process of its own: for what happens to a process, and what it leaves behind. */
  async startProcess(env: Readonly<Record<string, string>> = {}): Promise<AcpProcess> {
    const agent = new AcpProcess(this.flags, env)
    this.#started.push(agent)
    await agent.initialize()
    return agent
  }

  /** Every frame of every agent was correct; to be called after each test. */
  check(): void {
    expect(this.#started.flatMap(({ wrong }) => wrong)).toEqual([])
  }

  async close(): Promise<void> {
    await Promise.all(
      this.#started.map((agent) => (agent instanceof AcpProcess ? agent.kill() : agent.end())),
    )
    await this.api.close()
    await rm(this.dir, { recursive: true, force: true })
  }
}
