import type { Result } from '../../base/diagnostic.ts'
import type { Flag, Given } from './flags.ts'
import type { AdminStore, CliDependencies } from './dependencies.ts'
import { EXIT, type Exit, print, refuse } from './output.ts'

/** Flags of the commands that administer keys and policy. */
export const ADMIN_FLAGS: Readonly<Record<string, Flag>> = {
  store: { value: 'sqlite|redis|redis://HOST', description: 'Where sessions are kept (default: sqlite)' },
  'data-dir': { value: 'PATH', description: 'Where sessions, the secret and the keys are kept' },
  config: { value: 'FILE', description: 'Read settings from a YAML or JSON file' },
}

/** Opens the store for administration, runs `work` on it, and prints the result. */
export async function withAdminStore<T>(
  given: Given,
  dependencies: CliDependencies,
  work: (adminStore: AdminStore) => Promise<Result<T>>,
  human: (value: T) => string,
): Promise<Exit> {
  const asJson = given.on('json')
  const flags = { data_dir: given.text('data-dir'), store: given.text('store') }
  const adminStore = await dependencies.adminStore({ flags, file: given.text('config') })
  if (!adminStore.ok) return refuse(adminStore.problems, asJson, EXIT.problem)
  try {
    const done = await work(adminStore.value)
    if (!done.ok) return refuse(done.problems, asJson, EXIT.problem)
    print(asJson ? `${JSON.stringify(done.value)}\n` : human(done.value))
    return EXIT.ok
  } finally {
    await adminStore.value.close()
  }
}
