import type { Flag, Given, Positional } from './flags.ts'
import type { OpenEngine, CliDependencies } from './dependencies.ts'
import { type Exit } from './exit.ts'
import { refuse, say } from './output.ts'
import { settingsOf } from './setting-flags.ts'

/** The declaration of one command. */
export interface Command {
  /** As it is typed: `catalog check`. */
  readonly name: string
  readonly positionals?: readonly Positional[]
  readonly flags?: Readonly<Record<string, Flag>>
  readonly run: (given: Given, dependencies: CliDependencies) => Promise<Exit>
}

/** Opens an engine by the flags, lets `work` use it, and shuts it down. */
export async function withEngine(
  given: Given,
  dependencies: CliDependencies,
  work: (engine: OpenEngine) => Promise<Exit>,
): Promise<Exit> {
  const opened = await dependencies.open(settingsOf(given))
  if (!opened.ok) return refuse(opened.problems, given.on('json'))
  const engine = opened.value
  if (isFirstWorker(dependencies)) for (const notice of engine.notices) say(notice)
  try {
    return await work(engine)
  } finally {
    await engine.shutDown()
  }
}

/** Opens an engine for a server, and names the secrets that its calls will lack. */
export function withServer(
  given: Given,
  dependencies: CliDependencies,
  work: (engine: OpenEngine) => Promise<Exit>,
): Promise<Exit> {
  return withEngine(given, dependencies, async (engine) => {
    if (isFirstWorker(dependencies)) for (const secret of await engine.unsetSecrets()) say(secret)
    return work(engine)
  })
}

/** Workers are alike: the notices of the first one suffice. */
function isFirstWorker({ worker }: CliDependencies): boolean {
  return (worker?.id ?? 1) === 1
}
