import { ProtocolError } from '@modelcontextprotocol/server'
import type { Json } from '../../../base/canonical.ts'
import { serverInfo } from '../identity.ts'
import { answerQuietCall, type Exchange, guarded, type McpParts, refusal } from '../tool-calls.ts'
import { type DirectCall, directCall, type HeaderOf, mayBeDirect } from './recognise.ts'
import { writerFor, type Written } from './write.ts'

/** Calls that are answered without a server of the SDK. */
export interface Direct {
  /** The call that the body of a POST holds; undefined if the SDK answers it. */
  readonly recognise: (body: string, header: HeaderOf) => DirectCall | undefined
  /** The answer with status 200. */
  readonly answer: (call: DirectCall, exchange: Exchange) => Promise<Written>
}

/** The SDK builds a server for each request, which costs several times as much as the most frequent calls themselves. */
export function directly(parts: McpParts): Direct {
  const writer = writerFor(serverInfo(parts.version))
  return {
    recognise: (body, header) => {
      const message = mayBeDirect(header) ? jsonOf(body) : undefined
      return message === undefined ? undefined : directCall(message, header)
    },
    answer: async (direct, exchange) => {
      const { era, id } = direct
      if (direct.method !== 'tools/call') return writer.constant(era, direct.method, id)
      try {
        const reply = await guarded(parts, () => answerQuietCall(parts, exchange, direct.call), refusal)
        return writer.reply(era, reply, id)
      } catch (error) {
        if (ProtocolError.isInstance(error)) return writer.failure(era, error, id)
        throw error
      }
    },
  }
}

function jsonOf(text: string): Json | undefined {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
