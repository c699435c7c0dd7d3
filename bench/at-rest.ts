import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { verdict, type Verdict } from './measure.ts'

/** What an idle session may take of the memory of a process that holds a million of them, the runtime included. */
const MOST_BYTES = 1500
const MB = 1e6

/** How much memory idle sessions take, measured in a process that does nothing else. */
export async function atRest(sessions: number): Promise<Verdict> {
  const child = fork(fileURLToPath(new URL('./at-rest-child.js', import.meta.url)), [String(sessions)], {
    execArgv: ['--expose-gc', '--max-old-space-size=4096'],
  })
  const [bytes] = await once(child, 'message')
  if (typeof bytes !== 'number')
    throw new Error('the process that holds sessions did not say how large it is')
  const most = sessions * MOST_BYTES
  return verdict(
    {
      name: `${sessions} idle sessions / ${MOST_BYTES} bytes for each`,
      store: 'memory',
      ours: bytes / MB,
      base: most / MB,
      unit: 'MB',
      ratio: bytes / most,
    },
    1,
  )
}
