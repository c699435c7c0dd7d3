import { MessageTooLargeError, ndJsonStream } from '@agentclientprotocol/sdk'
import { Console } from 'node:console'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { Readable, Writable } from 'node:stream'
import { acpAgent } from './agent.ts'
import type { AcpParts } from './parts.ts'
import { acpProblem, requestError } from './problems.ts'

/** The longest message, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024

/** A connection over this process's own input and output. */
export interface AcpOverStdio {
  /** Resolves when the input ended: false if it had to be given up. */
  readonly ended: () => Promise<boolean>
  /** Cancels all prompts and resolves once they ended. */
  readonly close: () => Promise<void>
}

/** Serves one client over standard input and output. Standard output holds messages of the protocol and nothing else. */
export function acpOverStdio(parts: AcpParts): AcpOverStdio {
  // Packages print to the console: on standard output that would be a broken message.
  globalThis.console = new Console(process.stderr)
  const { app, close } = acpAgent(parts)
  const output = Writable.toWeb(process.stdout)
  const input = Readable.toWeb(process.stdin)
  const stream = ndJsonStream(output, input, { maxMessageBytes: MAX_BYTES })
  const readable = stream.readable.pipeThrough(new TransformStream({ transform: oneByOne }))
  const connection = app.connect({ ...stream, readable })
  return {
    ended: async () => {
      await connection.closed
      if (!(connection.signal.reason instanceof MessageTooLargeError)) return true
      const error = requestError(acpProblem('line_too_long', { most: MAX_BYTES })).toErrorResponse()
      process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id: null, error })}\n`)
      return false
    },
    close,
  }
}

/** The SDK looks for the handlers of two messages at once, and may find that of the later one first. */
async function oneByOne<Message>(
  message: Message,
  controller: TransformStreamDefaultController<Message>,
): Promise<void> {
  controller.enqueue(message)
  await nextTurn()
}
