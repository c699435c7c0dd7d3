import type { JSONRPCMessage, Transport } from '@modelcontextprotocol/client'
import type { ExactJson } from '../../../base/canonical.ts'
import { jsonText } from '../../../base/json.ts'
import type { ServerProcess } from './process.ts'
import { LARGE_BYTES } from './large-lines.ts'
import { type LineRead, readLargeLine, readLine } from './read-line.ts'

/** The longest message that a server may write, in bytes. */
const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** The most bytes that a server may write between two answers to our requests: notifications, noise, answers to nothing. */
const MAX_IDLE_BYTES = 64 * 1024 * 1024

/** The most lines between two answers, and the most of them that are messages: each costs time. */
const MAX_IDLE_LINES = 50_000
const MAX_IDLE_MESSAGES = 10_000

const NEWLINE = 0x0a

/**
 * Messages over the standard streams of a process, one a line. Lines that are no messages are reported and skipped. A server
 * that writes a longer line, or too much beside its answers, is ended.
 */
export class StdioTransport implements Transport {
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: (message: JSONRPCMessage) => void
  readonly #process: ServerProcess
  readonly #onNoise: (line: string) => void
  /** The parts of a line that has not ended yet. */
  #parts: Buffer[] = []
  #length = 0
  #idle = 0
  #idleLines = 0
  #idleMessages = 0
  /** The requests that wait for their answers. */
  readonly #asked = new Set<string | number>()
  #isClosed = false
  /** Why the connection ended, if the transport ended it. */
  flaw: string | undefined

  constructor(process: ServerProcess, onNoise: (line: string) => void) {
    this.#process = process
    this.#onNoise = onNoise
  }

  async start(): Promise<void> {
    this.#process.stdout.on('data', (chunk: Buffer) => this.#take(chunk))
    void this.#process.ended.then(() => this.#closed())
  }

  async send(message: JSONRPCMessage): Promise<void> {
    const { stdin } = this.#process
    if (this.#isClosed || !stdin.writable) throw new Error('the server has ended')
    if ('method' in message && 'id' in message) this.#asked.add(message.id)
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a message is JSON, with the digits of our arguments
    if (stdin.write(`${jsonText(message as ExactJson)}\n`)) return
    // A server that does not read its input stops the sender, not the others.
    await Promise.race([new Promise((resolve) => stdin.once('drain', resolve)), this.#process.ended])
  }

  async close(): Promise<void> {
    await this.#process.end()
    this.#closed()
  }

  #closed(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    this.#parts = []
    this.onclose?.()
  }

  #take(chunk: Buffer): void {
    if (this.flaw !== undefined || this.#isClosed) return
    this.#idle += chunk.length
    let start = 0
    for (let end = chunk.indexOf(NEWLINE); end !== -1; end = chunk.indexOf(NEWLINE, start)) {
      this.#keep(chunk.subarray(start, end))
      start = end + 1
      if (this.#length >= LARGE_BYTES) return this.#largeLine(chunk.subarray(start))
      this.#line()
      if (this.flaw !== undefined) return
    }
    this.#keep(chunk.subarray(start))
    if (this.#length > MAX_MESSAGE_BYTES)
      this.#refuse(`it wrote a line of more than ${MAX_MESSAGE_BYTES} bytes`)
    else if (this.#idle > MAX_IDLE_BYTES + this.#length)
      this.#refuse(`it wrote more than ${MAX_IDLE_BYTES} bytes that are no answer`)
  }

  #keep(part: Buffer): void {
    if (part.length === 0) return
    this.#parts.push(part)
    this.#length += part.length
  }

  #line(): void {
    const line = this.#ended()
    if (line !== undefined) this.#received(line, readLine(line))
  }

  /** Has a thread parse the line. What follows it is read afterwards: messages keep their order. */
  #largeLine(rest: Buffer): void {
    this.#idle -= rest.length
    const line = this.#ended()
    if (this.flaw !== undefined) return
    if (line === undefined) return this.#take(rest)
    const { stdout } = this.#process
    stdout.pause()
    stdout.unshift(rest)
    void readLargeLine(line).then((read) => {
      if (this.#isClosed) return
      this.#received(line, read)
      stdout.resume()
    })
  }

  /** The line that has ended; undefined where it is blank, or its server is ended for it. */
  #ended(): string | undefined {
    const bytes = this.#length
    const line = Buffer.concat(this.#parts).toString('utf8').trim()
    this.#parts = []
    this.#length = 0
    if (line === '') return undefined
    if (bytes > MAX_MESSAGE_BYTES) this.#refuse(`it wrote a line of more than ${MAX_MESSAGE_BYTES} bytes`)
    else if (++this.#idleLines > MAX_IDLE_LINES)
      this.#refuse(`it wrote more than ${MAX_IDLE_LINES} lines that are no answer`)
    return this.flaw === undefined ? line : undefined
  }

  #received(line: string, read: LineRead): void {
    if (read === 'too_deep') return this.#refuse('it wrote a message that is nested too deeply')
    if (read === 'too_hard') return this.#refuse('it wrote a message that takes too long to read')
    if (read === 'noise') return this.#onNoise(line)
    if (!('method' in read) && read.id !== undefined && this.#asked.delete(read.id)) {
      this.#idle = 0
      this.#idleLines = 0
      this.#idleMessages = 0
    } else if (++this.#idleMessages > MAX_IDLE_MESSAGES)
      return this.#refuse(`it wrote more than ${MAX_IDLE_MESSAGES} messages that are no answer`)
    this.onmessage?.(read)
  }

  #refuse(flaw: string): void {
    this.flaw = flaw
    this.#parts = []
    this.#length = 0
    this.#process.stdout.destroy()
    void this.close()
  }
}
