import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Line } from '../connection.ts'
import { NO_RESULT } from './read-line.ts'

/** The longest answer, in bytes: the client of the protocol reads it in this thread, in one go. */
const MAX_ANSWER_BYTES = 8 * 1024 * 1024
/** The most lines of one stream of events, of which each has two or three: each costs time. */
const MAX_LINES = 20_000
/** How long a request may take with its whole answer, in ms: longer than any call waits for it. */
const LONGEST_REQUEST = 60_000
/** The pause before a stream of events that was cut off is asked for again, in ms; the server chooses within these. */
const PAUSES = { least: 1000, most: 30_000 }

/**
 * A connection over streamable HTTP. Redirects are followed only within the origin. No answer beyond the limit of one message is
 * read, none takes longer than a request may, and no stream is kept open between requests: tools that change are found out
 * otherwise.
 *
 * @param headers sent with each request, resolved
 */
export function httpLine(url: string, headers: Readonly<Record<string, string>>): Line {
  let flaw: string | undefined
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    redirectPolicy: 'same-origin',
    reconnectionScheduler: (reconnect, wanted) => {
      const timer = setTimeout(reconnect, Math.min(Math.max(wanted, PAUSES.least), PAUSES.most))
      return () => clearTimeout(timer)
    },
    fetch: async (target, init) => {
      const isIdleStream = init?.method === 'GET' && !new Headers(init.headers).has('last-event-id')
      // How a server says that it has none.
      if (isIdleStream) return new Response(null, { status: 405 })
      flaw = undefined
      return bounded(await fetch(target, init), (reason) => (flaw = reason))
    },
  })
  boundRequests(transport, () => flaw ?? 'it ended the answer without a result')
  return { transport, isExact: false, flaw: () => flaw, how: async () => flaw ?? 'the connection failed' }
}

/** Ends each request in time, and answers one whose stream ended early with an error. */
function boundRequests(transport: StreamableHTTPClientTransport, reasonOf: () => string): void {
  const send = transport.send.bind(transport)
  transport.send = async (message, options) => {
    if (!('id' in message) || !('method' in message)) return send(message, options)
    const { id } = message
    const signals = [
      AbortSignal.timeout(LONGEST_REQUEST),
      ...(options?.requestSignal ? [options.requestSignal] : []),
    ]
    return send(message, {
      ...options,
      requestSignal: AbortSignal.any(signals),
      onRequestStreamEnd: () => {
        options?.onRequestStreamEnd?.()
        // The client ignores it where the result came before the end.
        transport.onmessage?.({ jsonrpc: '2.0', id, error: { code: NO_RESULT, message: reasonOf() } })
      },
    })
  }
}

const NEWLINE = 0x0a

/** The response, whose body fails once it is longer than the limits. */
function bounded(response: Response, onTooLong: (reason: string) => void): Response {
  if (!response.body) return response
  const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
  let bytes = 0
  let lines = 0
  const excessOf = (chunk: Uint8Array) => {
    bytes += chunk.length
    if (bytes > MAX_ANSWER_BYTES) return `it sent an answer of more than ${MAX_ANSWER_BYTES} bytes`
    if (!isStream) return undefined
    for (let at = chunk.indexOf(NEWLINE); at !== -1; at = chunk.indexOf(NEWLINE, at + 1)) lines++
    return lines > MAX_LINES ? `it sent an answer of more than ${MAX_LINES} lines` : undefined
  }
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        const excess = excessOf(chunk)
        if (excess === undefined) return controller.enqueue(chunk)
        onTooLong(excess)
        controller.error(new Error(excess))
      },
    }),
  )
  const { status, statusText, headers } = response
  const copy = new Response(counted, { status, statusText, headers })
  // The client compares it with the address that it asked.
  Object.defineProperty(copy, 'url', { value: response.url })
  Object.defineProperty(copy, 'redirected', { value: response.redirected })
  return copy
}
