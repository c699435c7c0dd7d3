import { request } from 'node:http'
import { ServeProcess, type Setup } from './servers.ts'

/** What a server answered, as far as callers look at it. */
export interface Answer {
  readonly status: number
  readonly text?: string
  /** Of the first problem of a refusal. */
  readonly code?: string
  /** Of an execute row. */
  readonly session?: string
  readonly plan?: string
  readonly effects?: readonly { readonly state: string }[]
  readonly _meta?: { readonly plasm: { readonly continuity?: { readonly previous_execute?: object } } }
}

/** How an answer does not arrive: its caller leaves before it comes, or before reading it. */
export type Lost = 'unheard' | 'unread'

/** Servers behind a round-robin without stickiness; each call has a connection of its own. */
export class Nodes {
  /** Calls whose connection was reset by a server that ended. */
  resets = 0
  readonly #nodes: ServeProcess[]
  #next = 0

  private constructor(nodes: ServeProcess[]) {
    this.#nodes = nodes
  }

  static async start(setups: readonly Setup[]): Promise<Nodes> {
    return new Nodes(await Promise.all(setups.map((setup) => ServeProcess.start(setup))))
  }

  /** A new process in the node's place; the old one ends what it had begun. */
  async replace(number: number, setup: Setup): Promise<void> {
    const [old] = this.#nodes.splice(number, 1, await ServeProcess.start(setup))
    await old?.kill('SIGTERM')
  }

  async stop(): Promise<void> {
    await Promise.all(this.#nodes.map((node) => node.kill()))
  }

  /** Nothing where the answer was lost. */
  async post(path: string, body: object, lost?: Lost): Promise<Answer | undefined> {
    for (;;) {
      const node = this.#nodes[this.#next++ % this.#nodes.length]
      if (!node) throw new Error('no node')
      try {
        return await exchange(node, path, JSON.stringify(body), lost)
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? error.code : undefined
        if (code === 'ECONNRESET') return void this.resets++
        // It ended before it was asked: the next one is.
        if (code !== 'ECONNREFUSED') throw error
      }
    }
  }
}

function exchange(node: ServeProcess, path: string, body: string, lost?: Lost): Promise<Answer | undefined> {
  const { promise, resolve, reject } = withResolvers<Answer | undefined>()
  const headers = { ...node.headers(), 'content-type': 'application/json' }
  const sent = request(`${node.url}${path}`, { method: 'POST', agent: false, headers }, (answer) => {
    if (lost === 'unread') {
      answer.destroy()
      resolve(undefined)
      return
    }
    let text = ''
    answer.setEncoding('utf8').on('data', (more: string) => void (text += more))
    answer.on('end', () => resolve({ ...JSON.parse(text), status: answer.statusCode ?? 0 }))
    answer.on('error', reject)
  })
  sent.on('error', (error) => (lost === undefined ? reject(error) : resolve(undefined)))
  sent.end(body, () => {
    if (lost !== 'unheard') return
    sent.destroy()
    resolve(undefined)
  })
  return promise
}

function withResolvers<Value>() {
  let resolve: (value: Value) => void = () => {}
  let reject: (error: unknown) => void = () => {}
  const promise = new Promise<Value>((done, failed) => ([resolve, reject] = [done, failed]))
  return { promise, resolve, reject }
}
