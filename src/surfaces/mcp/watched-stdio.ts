import { PassThrough } from 'node:stream'
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio'
import { type Announced, readAnnounced } from '../../engine/index.ts'

type Message = Parameters<StdioServerTransport['send']>[0]
type Id = string | number

/** A request that stays open for as long as the connection. */
const LASTING = 'subscriptions/listen'

/**
 * This process's own input and output. Reports when the answer to a request was written, and closes at the end of the input
 * only when every request that came with it was answered.
 */
export class WatchedStdio extends StdioServerTransport {
  readonly #waiting = new Map<Id, () => void>()
  readonly #unanswered = new Set<Id>()
  /** Our own requests to the client that it has not answered. */
  readonly #asked = new Set<Id>()
  readonly #input: PassThrough
  #isEnded = false
  #announced: Announced = {}
  readonly #answered: Promise<boolean>
  #resolveAnswered: (isRegular: boolean) => void = () => {}

  constructor() {
    const input = new PassThrough()
    super(input)
    this.#input = input
    this.#answered = new Promise((resolve) => void (this.#resolveAnswered = resolve))
  }

  /** Calls back once the answer to the request of this id was written; never if the write failed. */
  onWritten(id: Id, callback: () => void): void {
    this.#waiting.set(id, callback)
  }

  /** What the client announced when it initialized the connection. */
  get announced(): Announced {
    return this.#announced
  }

  /**
   * Resolves when the input ended, or broke, and nothing is left to be answered: true; or when the connection had to be given
   * up, because a message was too long or the output is closed: false.
   */
  ended(): Promise<boolean> {
    return this.#answered
  }

  /** Reads no further, as at the end of the input. */
  drain(): void {
    process.stdin.unpipe(this.#input)
    this.#end()
  }

  override async start(): Promise<void> {
    const deliver = this.onmessage
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- the SDK's transport is no event target
    this.onmessage = (message) => {
      this.#note(message)
      deliver?.(message)
    }
    await super.start()
    const end = () => this.#end()
    process.stdin.pipe(this.#input, { end: false })
    for (const event of ['end', 'close', 'error']) process.stdin.once(event, end)
    if (process.stdin.readableEnded || process.stdin.destroyed) end()
  }

  override async send(message: Message): Promise<void> {
    const isRequest = 'method' in message && 'id' in message
    if (isRequest) this.#ask(message.id)
    try {
      await super.send(message)
    } finally {
      if (!isRequest && 'id' in message && message.id !== undefined) this.#unanswered.delete(message.id)
      this.#endIfAnswered()
    }
    if (isRequest || !('id' in message) || message.id === undefined) return
    const callback = this.#waiting.get(message.id)
    this.#waiting.delete(message.id)
    callback?.()
  }

  override async close(): Promise<void> {
    this.#unanswered.clear()
    await super.close()
    this.#endIfAnswered()
    if (!this.#isEnded) this.#resolveAnswered(false)
  }

  #note(message: Message): void {
    if ('method' in message && 'id' in message) {
      if (message.method === 'initialize') this.#announced = readAnnounced(message.params?.['_meta'])
      if (message.method !== LASTING) this.#unanswered.add(message.id)
    } else if ('method' in message) {
      // A request that the client gave up gets no answer.
      const id = message.method === 'notifications/cancelled' ? message.params?.['requestId'] : undefined
      if (typeof id === 'string' || typeof id === 'number') {
        this.#unanswered.delete(id)
        this.#waiting.delete(id)
      }
      this.#endIfAnswered()
    } else if (message.id !== undefined) this.#asked.delete(message.id)
  }

  #ask(id: Id): void {
    this.#asked.add(id)
    if (this.#isEnded) setImmediate(() => this.#refuseAsked())
  }

  #end(): void {
    this.#isEnded = true
    // What was read with the end is delivered first.
    setImmediate(() => {
      this.#refuseAsked()
      this.#endIfAnswered()
    })
  }

  /** After the end of the input no answer of the client can come. */
  #refuseAsked(): void {
    for (const id of this.#asked) {
      this.#asked.delete(id)
      this.onmessage?.({ jsonrpc: '2.0', id, error: { code: -32000, message: 'the input ended' } })
    }
  }

  #endIfAnswered(): void {
    if (!this.#isEnded || this.#unanswered.size > 0) return
    this.#input.end()
    this.#resolveAnswered(true)
  }
}
