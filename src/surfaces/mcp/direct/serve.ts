import { isJsonContentType, ProtocolError } from '@modelcontextprotocol/server'
import type { Json } from '../../../base/canonical.ts'
import { serverInfo } from '../identity.ts'
import { answerQuietCall, type Exchange, guarded, type McpParts, refusal } from '../tool-calls.ts'
import { type DirectCall, directCall, mayBeDirect } from './recognise.ts'
import { readBody } from './body.ts'
import { writerFor, type Written } from './write.ts'

/** The answer to a request, or the request for the SDK, with its body unread. */
export type Outcome =
  | { readonly kind: 'refused'; readonly response: Response }
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
    const isReadable = request.method === 'POST' && isJsonContentType(header('content-type'))
    if (!isReadable) return { kind: 'passed_on', request }
    const read = await readBody(request, header)
    if (read.kind === 'refused') return read
    if (read.kind === 'unread') return { kind: 'passed_on', request }
    if (read.kind === 'broken') return { kind: 'passed_on', request: again(request, read.body) }
    const { text } = read
    const body = jsonOf(text)
    const refused = Array.isArray(body) && exchange.count?.(Math.max(0, body.length - 1))
    if (refused) return { kind: 'refused', response: refused }
    const direct = body !== undefined && mayBeDirect(header) ? directCall(body, header) : undefined
    if (direct) return { kind: 'answered', written: await answer(direct, exchange) }
    return { kind: 'passed_on', request: again(request, `${BYTE_ORDER_MARK}${text}`) }
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
function again({ url, method, headers, signal }: Request, body: string | ReadableStream): Request {
  // Required for a streamed body.
  return new Request(url, { method, headers, signal, body, duplex: 'half' })
}
