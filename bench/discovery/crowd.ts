import { fork } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { verdict, type Verdict } from '../measure.ts'

/** The wanted median time of a goal, and the most that discovery may hold of the catalogs, the word vectors included. */
const MAX_MS = 10
const MAX_MB = 60
const MB = 1e6

const measured = z.object({ milliseconds: z.number(), bytes: z.number(), catalogs: z.number() })

/** Discovery over generated catalogs of ten entities each, in a process of its own. */
export async function crowdedDiscovery(catalogs: number, goals: number): Promise<readonly Verdict[]> {
  const child = fork(
    fileURLToPath(new URL('./crowd-child.js', import.meta.url)),
    [String(catalogs), String(goals)],
    { execArgv: ['--expose-gc'] },
  )
  // A child that fails sends nothing.
  const [sent] = await Promise.race([once(child, 'message'), once(child, 'exit')])
  const { milliseconds, bytes } = measured.parse(sent)
  const common = { store: '' }
  return [
    verdict(
      {
        ...common,
        name: `goal over ${catalogs} catalogs / ${MAX_MS} ms`,
        ours: milliseconds * 1000,
        base: MAX_MS * 1000,
        unit: 'µs',
        ratio: milliseconds / MAX_MS,
      },
      // Not judged: the words of these goals occur in a tenth to a half of the catalogs.
      undefined,
    ),
    verdict(
      {
        ...common,
        name: `discovery of ${catalogs} catalogs / ${MAX_MB} MB`,
        ours: bytes / MB,
        base: MAX_MB,
        unit: 'MB',
        ratio: bytes / MB / MAX_MB,
      },
      1,
    ),
  ]
}
