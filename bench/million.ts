import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import type { Effort, Verdict } from './measure.ts'

/** What the child process measures, and how. */
export interface MillionJob {
  readonly sessions: number
  readonly effort: Effort
}

/** A server on SQLite with so many sessions, in a process that does nothing else: its memory, and its waits against a hundred. */
export async function million(job: MillionJob): Promise<readonly Verdict[]> {
  const child = fork(fileURLToPath(new URL('./million-child.js', import.meta.url)), [JSON.stringify(job)])
  const verdicts: Verdict[] = []
  child.on('message', (message: Verdict) => void verdicts.push(message))
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`the child process ended with ${code}`)
  return verdicts
}
