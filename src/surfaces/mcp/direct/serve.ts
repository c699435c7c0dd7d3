import { ProtocolError } from '@modelcontextprotocol/server'
import type { Json } from '../../../base/canonical.ts'
import { serverInfo } from '../identity.ts'
import { answerQuietCall, type Exchange, guarded, type McpParts, refusal } from '../tool-calls.ts'
import { type DirectCall, directCall, mayBeDirect } from './recognise.ts'
import { writerFor, type Written } from './write.ts'

/** The answer to a request, or the request for the SDK, with its body unread. */
export type Outcome =
  | { readonly kind: 'answered'; readonly written: Written }
  | { readonly kind: 'passed_on'; readonly request: Request }

/** The SDK removes one byte order mark from a body, as decoding text does. */
const BYTE_ORDER_MARK = '\ufeff'

/**
 * Answers calls without a server of the SDK, which is built for each request and costs several times as much as the call
 * itself. A request is passed on only if the engine was not called.
 */
export function directly(parts: McpParts): (request: Request, exchange: Exchange) => Promise<Outcome> {
  const writer = writerFor(serverInfo(parts.version))

  const answer = async (direct: DirectCall, exchange: Exchange): Promise<Written> => {
    const { era, id } = direct
    if (direct.method !== 'tools/call') return writer.constant(era, direct.method, id)
    try {
      const reply = await guarded(parts, () => answerQuietCall(parts, exchange, direct.call), refusal)
      return writer.reply(era, reply, id)
    } catch (error) {
      if (ProtocolError.isInstance(error)) return writer.failure(era, error, id)
      throw error
    }
  }

  return async (request, exchange) => {
    const header = (name: string) => request.headers.get(name)
    if (!mayBeDirect(request.method, header)) return { kind: 'passed_on', request }
    const text = await textOf(request)
    const body = typeof text === 'string' ? jsonOf(text) : undefined
    const direct = body === undefined ? undefined : directCall(body, header)
    if (!direct) return { kind: 'passed_on', request: again(request, text) }
    return { kind: 'answered', written: await answer(direct, exchange) }
  }
}

/** The body as the SDK reads it; after a failed read, a body that fails in the same way. */
async function textOf(request: Request): Promise<string | ReadableStream> {
  try {
    return await request.text()
  } catch (error) {
    return new ReadableStream({ start: (controller) => controller.error(error) })
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The same request, its body unread. */
function again({ url, method, headers, signal }: Request, read: string | ReadableStream): Request {
  const body = typeof read === 'string' ? `${BYTE_ORDER_MARK}${read}` : read
  // Required for a streamed body.
  return new Request(url, { method, headers, signal, body, duplex: 'half' })
}
