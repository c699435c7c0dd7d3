import { keysOf } from '../adapters/auth/setup.ts'
import type { KeyRing } from '../adapters/auth/api-keys.ts'
import { authProblem } from '../adapters/auth/problems.ts'
import { publishedPolicy, publishPolicy } from '../adapters/auth/shared-policy.ts'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import type { Config } from '../config/read.ts'
import { dataDirFault } from './data-dir.ts'
import { openStoreToLook, sharedBy } from './stores.ts'
import { systemClock as clock } from './system.ts'

/** What an operator changes while servers run: API keys, and the policy if it is in the store. */
export interface AdminStore {
  readonly keys: KeyRing
  readonly policy: {
    readonly set: (text: string, file: string) => Promise<Result<unknown>>
    readonly show: () => Promise<string | undefined>
  }
  readonly close: () => Promise<void>
}

/** Opens the parts that an operator changes; opens a shared store without binding it to the newest secret. */
export async function openAdminStore(config: Config): Promise<Result<AdminStore>> {
  const unusable = await dataDirFault(config.dataDir)
  if (unusable) return failed([unusable])
  const opened = sharedBy(config.store) === 'nodes' ? await openStoreToLook(config) : undefined
  if (opened && !opened.ok) return opened
  const texts = opened?.value.texts
  return ok({
    keys: keysOf({ ...config.access, dataDir: config.dataDir }, { clock, texts }),
    policy: {
      set: async (text, file) =>
        texts ? publishPolicy(texts, text, file) : failed([authProblem('policy_not_shared', {})]),
      show: async () => texts && publishedPolicy(texts),
    },
    close: async () => opened?.value.store.shutDown(),
  })
}
