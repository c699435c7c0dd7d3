import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { LoadJob, RecordedRequest } from './load.ts'

/** A client in its own process, so that its CPU time is not counted. */
export interface LoadClient {
  /** Resolves once every call was answered with 200: how long each took, in microseconds. */
  readonly send: (request: RecordedRequest, calls: number) => Promise<readonly number[]>
  readonly close: () => void
}

export function loadClient(): LoadClient {
  const child = fork(fileURLToPath(new URL('./load.js', import.meta.url)))
  return {
    send: async (request, calls) => {
      const job: LoadJob = { request, calls }
      child.send(job)
      const [answer] = await once(child, 'message')
      if (!Array.isArray(answer)) throw new Error(`a measured call failed: ${String(answer)}`)
      return answer.map(Number)
    },
    close: () => child.kill(),
  }
}
