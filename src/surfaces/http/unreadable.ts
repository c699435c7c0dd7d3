import { STATUS_CODES } from 'node:http'
import { RequestError } from '@hono/node-server'
import type { Duplex } from 'node:stream'
import { httpProblem, type HttpProblem } from './problems.ts'
import { ownProblemReply } from './problem-reply.ts'

/** The answer to a request that is HTTP, but has no address that could be looked at; or to a failure of our own. */
export function unreadableReply(error: unknown): Response {
  const isTheirs = error instanceof RequestError
  return ownProblemReply(httpProblem(isTheirs ? 'malformed_request' : 'internal_error', {}))
}

/** Answers what is no HTTP, on the socket itself, as every other error is answered; then the connection ends. */
export async function answerUnreadable(error: Error, socket: Duplex): Promise<void> {
  const reply = ownProblemReply(problemOf('code' in error ? error.code : undefined))
  const body = await reply.text()
  const headers = [...reply.headers, ['content-length', Buffer.byteLength(body)], ['connection', 'close']]
  const lines = headers.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  if (!socket.writable) return
  socket.end(`HTTP/1.1 ${reply.status} ${STATUS_CODES[reply.status]}\r\n${lines}\r\n${body}`, () =>
    socket.destroy(),
  )
}

function problemOf(code: unknown): HttpProblem {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return httpProblem('headers_too_large', {})
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return httpProblem('request_timeout', {})
    default:
      return httpProblem('malformed_request', {})
  }
}
