import { isJsonContentType } from '@modelcontextprotocol/server'
import { bytesUpTo } from '../../base/bounded-bytes.ts'
import type { Exchange } from './tool-calls.ts'

/** The longest body that the SDK reads, in bytes. */
const MAX_BYTES = 4 * 1024 * 1024

/** The SDK removes one byte order mark from a body, as decoding text does. */
const BYTE_ORDER_MARK = '\ufeff'

const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * The request with its body unread, or its refusal. The SDK would replace bytes that are no UTF-8, and two texts would become
 * one; and it would serve a batch of any length.
 */
export async function withCheckedBody(request: Request, { count }: Exchange): Promise<Request | Response> {
  const length = request.headers.get('content-length')
  const isReadable = request.method === 'POST' && isJsonContentType(request.headers.get('content-type'))
  if (!isReadable || (length !== null && !(Number(length) <= MAX_BYTES))) return request
  let bytes: Uint8Array | undefined
  try {
    bytes =
      length === null ? await bytesUpTo(MAX_BYTES, request.body) : new Uint8Array(await request.arrayBuffer())
  } catch (error) {
    // A body that fails as the read one did.
    return again(request, new ReadableStream({ start: (controller) => controller.error(error) }))
  }
  if (!bytes)
    return refused(413, -32000, `Payload Too Large: Request body must not exceed ${MAX_BYTES} bytes`)
  let text: string
  try {
    text = utf8.decode(bytes)
  } catch {
    return refused(400, -32700, 'Parse error: The body is not UTF-8')
  }
  return count?.(otherMessages(text)) ?? again(request, `${BYTE_ORDER_MARK}${text}`)
}

/** The number of messages of a batch besides the first. */
function otherMessages(text: string): number {
  if (!/^\s*\[/.test(text)) return 0
  try {
    return Math.max(0, JSON.parse(text).length - 1)
  } catch {
    return 0
  }
}

function refused(status: number, code: number, message: string): Response {
  return Response.json({ jsonrpc: '2.0', id: null, error: { code, message } }, { status })
}

/** The same request with a body that was not read. */
function again({ url, method, headers, signal }: Request, body: string | ReadableStream): Request {
  // Required for a streamed body.
  return new Request(url, { method, headers, signal, body, duplex: 'half' })
}
