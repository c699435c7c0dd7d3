import { setImmediate as nextTurn } from 'node:timers/promises'
import { jsonSlices } from '../../base/slices/json-slices.ts'
import { isLight } from '../../base/slices/light.ts'

/** On every answer: none is a page, and none may be cached. */
export const HEADERS = {
  'cache-control': 'no-store',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
}

/** An answer of this surface. */
export function answer(
  body: string | ReadableStream<Uint8Array> | null,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  // As a plain object, headers cost a tenth of what setting them costs.
  return new Response(body, { status, headers: { ...HEADERS, ...headers } })
}

/** A value as the JSON of an answer. */
export function jsonAnswer(
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const body = isLight(value) ? JSON.stringify(value) : jsonStream(value)
  return answer(body, status, { 'content-type': 'application/json', ...headers })
}

/** So many characters are sent at once. */
const CHUNK_CHARACTERS = 64 * 1024

/** A large value as JSON, written as fast as the client reads it; other requests are answered between its chunks. */
function jsonStream(value: unknown): ReadableStream<Uint8Array> {
  const pieces = jsonSlices(value)
  const encoder = new TextEncoder()
  return new ReadableStream({
    pull: async (stream) => {
      await nextTurn()
      let chunk = ''
      for (let piece = pieces.next(); ; piece = pieces.next()) {
        if (!piece.done) chunk += piece.value
        if (!piece.done && chunk.length < CHUNK_CHARACTERS) continue
        stream.enqueue(encoder.encode(chunk))
        if (piece.done) stream.close()
        return
      }
    },
  })
}

/** Sets the headers on an answer that this surface did not make. */
export function withHeaders(response: Response): Response {
  for (const [name, value] of Object.entries(HEADERS)) response.headers.set(name, value)
  return response
}
