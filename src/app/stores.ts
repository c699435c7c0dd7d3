import { join } from 'node:path'
import type { SharedTexts } from '../access/shared-texts.ts'
import { deploymentSecrets } from '../adapters/auth/deployment-secret.ts'
import { StoreError } from '../adapters/stores/problems.ts'
import { systemClock as clock } from './system.ts'
import type { Secrets } from '../base/hash.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import type { Config } from '../config/read.ts'
import type { Store } from '../engine/store.ts'

/** Opens the configured store. Gives the problems of the store. */
export async function openStore(
  config: Config,
  secrets: Secrets,
  onlyLooks = false,
): Promise<Result<Opened>> {
  try {
    return ok(await OPENERS[config.store](config, secrets, onlyLooks))
  } catch (error) {
    if (error instanceof StoreError) return failed([error.problem])
    throw error
  }
}

interface Opened {
  readonly store: Store
  /** Warnings for the operator. */
  readonly warnings: readonly Problem[]
  /** What its nodes share besides sessions, if it has several. */
  readonly texts?: SharedTexts
}

/** The one place that knows the stores; each is loaded only if it is configured. */
const OPENERS: Record<
  Config['store'],
  (config: Config, secrets: Secrets, onlyLooks: boolean) => Promise<Opened>
> = {
  memory: async () => {
    const { memoryStore } = await import('../adapters/stores/memory.ts')
    return { store: memoryStore({ clock }), warnings: [] }
  },
  sqlite: async ({ dataDir }) => {
    const { sqliteStore } = await import('../adapters/stores/sqlite/store.ts')
    return { store: await sqliteStore({ path: join(dataDir, 'plasmid.db'), clock }), warnings: [] }
  },
  redis: async ({ redis, secret: given }, secrets, onlyLooks) => {
    const { redisStore } = await import('../adapters/stores/redis/store.ts')
    const store = await redisStore({ ...redis, secrets, onlyLooks, isSecretShared: given !== undefined })
    return { store, warnings: store.warnings, texts: store.texts }
  },
}

/** Opens the configured store without binding it to the newest secret. Gives the problems of the secret and the store. */
export async function openStoreToLook(config: Config): Promise<Result<Opened>> {
  const secrets = await deploymentSecrets(config.dataDir, config.secret)
  return secrets.ok ? openStore(config, secrets.value, true) : secrets
}
