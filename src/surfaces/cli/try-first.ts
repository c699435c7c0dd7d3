import { withEngine } from './command.ts'
import type { CliDependencies, Settings } from './dependencies.ts'
import { EXIT } from './exit.ts'
import type { Given } from './flags.ts'

const TRY_MS = 15_000

/** A new catalog; the program is a read that needs nothing, if there is one. */
interface Added {
  readonly id: string
  readonly first?: { readonly goal: string; readonly entity: string; readonly program?: string }
}

/** Runs the first read of a new catalog, in a session that nothing keeps; undefined if there is none, or with `--no-try`. */
export async function tryFirst(
  { id, first }: Added,
  settings: Settings,
  given: Given,
  dependencies: CliDependencies,
): Promise<string | undefined> {
  const program = first?.program
  if (!first || program === undefined || given.on('no-try')) return undefined
  const memory = { ...settings, flags: { ...settings.flags, store: 'memory', effects: undefined } }
  const quiet = { ...dependencies, open: () => dependencies.open(memory) }
  let text: string | undefined
  await withEngine(given, quiet, async ({ gateway, caller }) => {
    const seeds = [{ api: id, entity: first.entity }]
    const opened = await gateway.context(caller, { intent: first.goal, seeds })
    if (!opened.ok) return EXIT.problem
    const ref = /`(s\d+|l_[\w-]+)`/.exec(opened.text)?.[1]
    const signal = AbortSignal.timeout(TRY_MS)
    const ran = await gateway.run(caller, { logical_session_ref: ref, program }, { signal })
    text = ran.text
    return EXIT.ok
  })
  return text
}
