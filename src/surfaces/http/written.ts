import type { Context } from 'hono'
import type { Env } from './route.ts'

/**
 * Calls back once the answer to this request was handed to the operating system in full; never where the connection broke
 * before. Without a socket (a fetch handler called in the process), what is returned has arrived.
 */
export function onWritten({ env }: Context<Env>, callback: () => void): void {
  if (env?.outgoing) env.outgoing.once('finish', callback)
  else callback()
}
