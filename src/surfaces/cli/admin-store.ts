import type { Result } from '../../base/diagnostic.ts'
import type { Given } from './flags.ts'
import type { AdminStore, CliDependencies } from './dependencies.ts'
import { EXIT, type Exit } from './exit.ts'
import { print, printJson, refuse } from './output.ts'
import { settingsOf } from './setting-flags.ts'

/** Opens the store for administration, runs `work` on it, and prints the result. */
export async function withAdminStore<T extends object>(
  given: Given,
  dependencies: CliDependencies,
  work: (adminStore: AdminStore) => Promise<Result<T>>,
  human: (value: T) => string,
): Promise<Exit> {
  const asJson = given.on('json')
  const adminStore = await dependencies.adminStore(settingsOf(given))
  if (!adminStore.ok) return refuse(adminStore.problems, asJson)
  try {
    const done = await work(adminStore.value)
    if (!done.ok) return refuse(done.problems, asJson)
    if (asJson) printJson(done.value)
    else print(human(done.value))
    return EXIT.ok
  } finally {
    await adminStore.value.close()
  }
}
