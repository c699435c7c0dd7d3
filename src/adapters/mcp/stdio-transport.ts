import { type JSONRPCMessage, parseJSONRPCMessage, type Transport } from '@modelcontextprotocol/client'
import type { ExactJson } from '../../base/canonical.ts'
import { jsonText } from '../../base/json.ts'
import { parseJson } from '../wire/json.ts'
import type { ServerProcess } from './process.ts'

/** The longest message that a server may write, in bytes. */
export const MAX_MESSAGE_BYTES = 32 * 1024 * 1024
/** The most bytes that a server may write between two of its answers: notifications and lines that are no messages. */
const MAX_IDLE_BYTES = 64 * 1024 * 1024

/** The most lines between two answers: each costs time. */
const MAX_IDLE_LINES = 50_000

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
    const bytes = this.#length
    const line = Buffer.concat(this.#parts).toString('utf8').trim()
    this.#parts = []
    this.#length = 0
    if (line === '') return
    if (bytes > MAX_MESSAGE_BYTES)
      return this.#refuse(`it wrote a line of more than ${MAX_MESSAGE_BYTES} bytes`)
    if (++this.#idleLines > MAX_IDLE_LINES)
      return this.#refuse(`it wrote more than ${MAX_IDLE_LINES} lines that are no answer`)
    const message = messageIn(line)
    if (!message) return this.#onNoise(line)
    if ('id' in message && !('method' in message)) {
      this.#idle = 0
      this.#idleLines = 0
    }
    this.onmessage?.(message)
  }

  #refuse(flaw: string): void {
    this.flaw = flaw
    this.#parts = []
    this.#length = 0
    this.#process.stdout.destroy()
    void this.close()
  }
}

function messageIn(line: string): JSONRPCMessage | undefined {
  if (!line.startsWith('{') || !line.includes('"jsonrpc"')) return undefined
  const parsed = parseJson(line)
  if (!('value' in parsed)) return undefined
  try {
    return parseJSONRPCMessage(parsed.value)
  } catch {
    return undefined
  }
}
