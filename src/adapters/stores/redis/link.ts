import { setTimeout as delay } from 'node:timers/promises'
import { AbortError, createClient, ErrorReply } from '@redis/client'
import { reasonOf } from '../../../base/errors.ts'
import { StoreError, storeProblem } from '../problems.ts'

/** The longest pause between two connection attempts. */
const PAUSE_MS = 2000

/** Reconnect delays: immediate at first, then one to two seconds with jitter, so that nodes do not reconnect in step. */
function backoff(retries: number): number {
  return Math.min(25 * 2 ** retries, PAUSE_MS) * (0.5 + Math.random() / 2)
}

/** The retry delay while a server loads its data into memory. */
const LOADING_MS = 50

function clientOf(url: string, timeoutMs: number) {
  return createClient({
    url,
    socket: { connectTimeout: timeoutMs, reconnectStrategy: backoff },
    disableClientInfo: true,
    maintNotifications: 'disabled',
    commandsQueueMaxLength: 50_000,
    // `send` queues commands itself; it also fails commands that were already written.
    commandOptions: { timeout: 0 },
  })
}

type Client = ReturnType<typeof clientOf>

/**
 * One connection to one server. Commands sent in one turn of the event loop are pipelined. Every command settles: with a
 * reply, the server's `ErrorReply`, or a `StoreError` of `store_unavailable` at its timeout. A command whose connection
 * broke is sent again within its timeout, so callers must tolerate that it is applied twice.
 */
export class Link {
  /** The server for messages: without user and password. */
  readonly server: string
  readonly #url: string
  readonly #timeoutMs: number
  #client: Client
  #answeredAt = performance.now()
  /** When the connection last received anything. */
  #stirredAt = performance.now()
  #downSince: number | undefined
  #trouble: string | undefined
  #isClosed = false

  /** @param timeoutMs the timeout of one command, including the wait for a connection */
  constructor(url: string, timeoutMs: number) {
    this.server = serverOf(url)
    this.#url = url
    this.#timeoutMs = timeoutMs
    this.#client = this.#connect()
  }

  async send(args: readonly (string | number)[]): Promise<unknown> {
    const words = args.map(String)
    const sentAt = performance.now()
    for (;;) {
      if (this.#isClosed) throw new StoreError(storeProblem('store_closed', { file: this.server }))
      const left = this.#timeoutMs - (performance.now() - sentAt)
      if (left <= 0) throw this.#unavailable(this.#trouble ?? 'no answer in time')
      const client = this.#client
      const answer = await this.#once(client, words, left)
      if ('reply' in answer) return answer.reply
      if (answer.error instanceof ErrorReply) {
        if (!answer.error.message.startsWith('LOADING')) throw this.#refusal(client, answer.error)
        await delay(LOADING_MS)
      } else if (answer.error instanceof AbortError) {
        this.#suspect(client, sentAt)
        throw this.#unavailable(this.#trouble ?? 'no answer in time')
      }
    }
  }

  async close(): Promise<void> {
    if (this.#isClosed) return
    this.#isClosed = true
    const patience = delay(this.#timeoutMs, undefined, { ref: false })
    if (this.#client.isReady) await Promise.race([this.#client.close().catch(() => undefined), patience])
    if (this.#client.isOpen) this.#client.destroy()
  }

  async #once(
    client: Client,
    words: readonly string[],
    left: number,
  ): Promise<{ reply: unknown } | { error: unknown }> {
    // Once the server has been away for longer than a command's timeout, commands fail immediately.
    const awayMs = this.#downSince === undefined ? 0 : performance.now() - this.#downSince
    if (!client.isReady && awayMs > this.#timeoutMs) return { error: new AbortError() }
    // A command that still waits for a connection can be withdrawn; one that was written cannot.
    const ending = client.isReady ? undefined : new AbortController()
    let timer: NodeJS.Timeout | undefined
    const options = ending ? { abortSignal: ending.signal } : {}
    try {
      const reply = await new Promise<unknown>((resolve, reject) => {
        timer = setTimeout(() => {
          ending?.abort()
          // A reply that arrived while this process was busy is read before the command times out.
          setImmediate(() => reject(new AbortError()))
        }, left)
        client.sendCommand<unknown>(words, options).then(resolve, reject)
      })
      this.#answeredAt = performance.now()
      return { reply }
    } catch (error) {
      if (error instanceof ErrorReply) this.#answeredAt = performance.now()
      // The client is between two connections: it must notice before it gets the command again.
      else if (!(error instanceof AbortError)) await delay(1)
      return { error }
    } finally {
      clearTimeout(timer)
    }
  }

  #connect(): Client {
    const client = clientOf(this.#url, this.#timeoutMs)
    client.on('error', (error) => {
      if (client !== this.#client) return
      this.#stirredAt = performance.now()
      this.#downSince ??= this.#stirredAt
      this.#trouble = reasonOf(error)
    })
    client.on('ready', () => {
      this.#stirredAt = performance.now()
      this.#downSince = undefined
      this.#trouble = undefined
    })
    // The client keeps reconnecting; commands wait for it.
    client.connect().catch(() => undefined)
    return client
  }

  /**
   * A connection that received nothing since the command was sent may be dead, and so may one whose connection attempt
   * takes longer than its timeout.
   */
  #suspect(client: Client, sentAt: number): void {
    const isSilent = client.isReady
      ? this.#answeredAt < sentAt
      : performance.now() - this.#stirredAt > this.#timeoutMs + PAUSE_MS
    if (isSilent) this.#renew(client)
  }

  /** Replaces the connection, once for all commands that found it dead. */
  #renew(old: Client): void {
    if (this.#isClosed || this.#client !== old) return
    this.#stirredAt = performance.now()
    this.#client = this.#connect()
    old.destroy()
  }

  #refusal(client: Client, error: ErrorReply): Error {
    const [code = ''] = error.message.split(' ', 1)
    switch (code) {
      case 'READONLY':
        // This server became a replica: the same host name may now lead to the primary.
        this.#renew(client)
        return this.#unavailable('the server is a replica', error)
      case 'NOAUTH':
      case 'NOPERM':
      case 'WRONGPASS':
      case 'MOVED':
      case 'OOM':
      case 'MISCONF':
      case 'NOREPLICAS':
      case 'MASTERDOWN':
      case 'CLUSTERDOWN':
      case 'TRYAGAIN':
      case 'BUSY':
        return this.#unavailable(error.message, error)
      default:
        return error
    }
  }

  #unavailable(detail: string, cause?: Error): StoreError {
    return new StoreError(storeProblem('store_unavailable', { server: this.server, detail }), { cause })
  }
}

function serverOf(url: string): string {
  const { protocol, host, pathname } = new URL(url)
  return `${protocol}//${host}${pathname}`
}
