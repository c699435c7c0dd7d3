import type { EventEmitter } from 'node:events'

/** A request whose body may still be on its way. */
export interface Unread extends EventEmitter {
  readonly complete: boolean
  /** As the client wrote it: a path, or a whole URL. */
  readonly url?: string
  resume(): unknown
}

/** How much of an unread body is discarded at most, and for how long. */
const MAX_BYTES = 64 * 1024 * 1024
const MAX_MS = 1000

/**
 * Discards the rest of a body before its answer is sent: a client that is still sending when the connection ends may lose an
 * answer that it has not read. Resolves at the end of the body or at the limit.
 */
export async function discardRest(incoming: Unread): Promise<void> {
  let late: NodeJS.Timeout | undefined
  await new Promise<void>((resolve) => {
    let bytes = 0
    // A reader that gave up would pause the flow again.
    incoming.removeAllListeners('data')
    incoming.on('data', (chunk: Uint8Array) => {
      bytes += chunk.byteLength
      if (bytes > MAX_BYTES) resolve()
    })
    incoming.once('end', resolve)
    incoming.once('close', resolve)
    late = setTimeout(resolve, MAX_MS)
    incoming.resume()
  })
  clearTimeout(late)
}
