import type { Transport } from '@modelcontextprotocol/client'
import { announcementOf, type SessionContext } from '../../access/session-context.ts'

type Message = Parameters<Transport['send']>[0]

/**
 * The transport, which from now on announces the session's workspace in the `_meta` of each request, the first of which opens
 * the connection: the client itself cannot add to that one. Without a workspace nothing changes.
 */
export function announcing(transport: Transport, context: SessionContext): Transport {
  const announcement = announcementOf(context)
  if (!announcement) return transport
  const send = transport.send.bind(transport)
  transport.send = (message, options) => send(withMeta(message, announcement), options)
  return transport
}

function withMeta(message: Message, announcement: Readonly<Record<string, object>>): Message {
  if (!('method' in message) || !('id' in message)) return message
  const { params } = message
  return { ...message, params: { ...params, _meta: { ...announcement, ...params?.['_meta'] } } }
}
