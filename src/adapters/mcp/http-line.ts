import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Line } from './connection.ts'
import { MAX_MESSAGE_BYTES } from './stdio-transport.ts'

/**
 * A connection over streamable HTTP. Redirects are followed only within the origin, and no answer beyond the limit of one
 * message is read.
 *
 * @param headers sent with each request, resolved
 */
export function httpLine(url: string, headers: Readonly<Record<string, string>>): Line {
  let flaw: string | undefined
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    redirectPolicy: 'same-origin',
    fetch: async (target, init) => {
      const response = await fetch(target, init)
      return bounded(response, () => (flaw = `it sent an answer of more than ${MAX_MESSAGE_BYTES} bytes`))
    },
  })
  return { transport, isExact: false, flaw: () => flaw, how: async () => flaw ?? 'the connection failed' }
}

/** The response, whose body fails once it is longer than the limit. */
function bounded(response: Response, onTooLong: () => void): Response {
  if (!response.body) return response
  let bytes = 0
  const counted = response.body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform: (chunk, controller) => {
        bytes += chunk.length
        if (bytes <= MAX_MESSAGE_BYTES) return controller.enqueue(chunk)
        onTooLong()
        controller.error(new Error('the answer is too long'))
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
