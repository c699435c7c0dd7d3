import { ProtocolError } from '@modelcontextprotocol/server'
import type { Json } from '../../../base/canonical.ts'
import { serverInfo } from '../identity.ts'
import { answerQuietCall, type Exchange, guarded, type McpParts, refusal } from '../tool-calls.ts'
import { type DirectCall, directCall, type HeaderOf, mayBeDirect } from './recognise.ts'
import { writerFor, type Written } from './write.ts'

/** A call that is answered without a server of the SDK, with status 200. */
type Call = (exchange: Exchange) => Promise<Written>

/**
 * The calls that are answered without the SDK, by their bodies; undefined for others. It builds a server for each request, which
 * costs several times as much as the most frequent calls themselves.
 */
export function directly(parts: McpParts): (body: string, header: HeaderOf) => Call | undefined {
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
  return (body, header) => {
    const message = mayBeDirect(header) ? jsonOf(body) : undefined
    const direct = message === undefined ? undefined : directCall(message, header)
    return direct && ((exchange) => answer(direct, exchange))
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
