import type { Transport } from '@modelcontextprotocol/client'

/** How many requests of a server may wait for our answer. */
const MAX_REPLIES = 16

/** Leaves requests of the server without an answer where it asks faster than it reads. */
export function boundReplies(transport: Transport): void {
  const send = transport.send.bind(transport)
  let replies = 0
  transport.send = async (message, options) => {
    if ('method' in message) return send(message, options)
    if (replies >= MAX_REPLIES) return
    replies++
    await send(message, options).finally(() => replies--)
  }
}
