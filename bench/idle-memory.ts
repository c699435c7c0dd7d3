import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { verdict, type Verdict } from './measure.ts'

/** Memory of a process with a million idle sessions, per session, runtime included. */
const MAX_BYTES = 1500
const MB = 1e6

/** Memory of idle sessions, measured in a process that does nothing else. */
export async function idleMemory(sessions: number): Promise<Verdict> {
  const child = fork(fileURLToPath(new URL('./idle-memory-child.js', import.meta.url)), [String(sessions)], {
    execArgv: ['--expose-gc', '--max-old-space-size=4096'],
  })
  const [bytes] = await once(child, 'message')
  if (typeof bytes !== 'number') throw new Error('the child process sent no size')
  const most = sessions * MAX_BYTES
  return verdict(
    {
      name: `${sessions} idle sessions / ${MAX_BYTES} bytes for each`,
      store: 'memory',
      ours: bytes / MB,
      base: most / MB,
      unit: 'MB',
      ratio: bytes / most,
    },
    1,
  )
}
