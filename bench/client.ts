import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Order, Shot } from './load.ts'

/** A client in a process of its own, so that what it costs is not counted. */
export interface LoadClient {
  /** Resolves once every call was answered with 200. */
  readonly fire: (shot: Shot, calls: number) => Promise<void>
  readonly close: () => void
}

export function loadClient(): LoadClient {
  const child = fork(fileURLToPath(new URL('./load.js', import.meta.url)))
  return {
    fire: async (shot, calls) => {
      const order: Order = { shot, calls }
      child.send(order)
      const [answer] = await once(child, 'message')
      if (answer !== 'done') throw new Error(`a measured call failed: ${String(answer)}`)
    },
    close: () => child.kill(),
  }
}
