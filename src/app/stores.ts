import { join } from 'node:path'
import type { SharedTexts } from '../access/shared-texts.ts'
import { deploymentSecrets } from '../adapters/auth/deployment-secret.ts'
import { StoreError } from '../adapters/stores/problems.ts'
import { systemClock as clock } from './system.ts'
import type { Secrets } from '../base/hash.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import type { Config } from '../config/read.ts'
import type { StoreKind } from '../config/store-kind.ts'
import type { Store } from '../engine/store.ts'

/** Opens the configured store. Gives the problems of the store. */
export async function openStore(
  config: Config,
  secrets: Secrets,
  onlyLooks = false,
): Promise<Result<Opened>> {
  try {
    return ok(await STORES[config.store].open(config, secrets, onlyLooks))
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

/** A kind of store: how it is opened, and what the modules that only look at the configuration have to know of it. */
interface StoreForm {
  /** The processes that can share it: those of this machine, or those of all nodes. Those of nodes share texts as well. */
  readonly sharedBy: 'none' | 'machine' | 'nodes'
  /** Its file in the data directory; absent if it has none. */
  readonly file?: StoreFile
  /** Loads the adapter first: a process uses one kind. */
  readonly open: (config: Config, secrets: Secrets, onlyLooks: boolean) => Promise<Opened>
}

interface StoreFile {
  readonly name: string
  /** The layout version of the file, and the one that this program writes; undefined if there is no file. */
  readonly layout: (path: string) => Promise<{ readonly found: number; readonly known: number } | undefined>
}

const SQLITE_FILE = 'plasmid.db'

const STORES: Record<StoreKind, StoreForm> = {
  memory: {
    sharedBy: 'none',
    open: async () => {
      const { memoryStore } = await import('../adapters/stores/memory.ts')
      return { store: memoryStore({ clock }), warnings: [] }
    },
  },
  sqlite: {
    sharedBy: 'machine',
    file: {
      name: SQLITE_FILE,
      layout: async (path) => (await import('../adapters/stores/sqlite/open.ts')).layoutOf(path),
    },
    open: async ({ dataDir }) => {
      const { sqliteStore } = await import('../adapters/stores/sqlite/store.ts')
      return { store: await sqliteStore({ path: join(dataDir, SQLITE_FILE), clock }), warnings: [] }
    },
  },
  redis: {
    sharedBy: 'nodes',
    open: async ({ redis, secret: given }, secrets, onlyLooks) => {
      const { redisStore } = await import('../adapters/stores/redis/store.ts')
      const store = await redisStore({ ...redis, secrets, onlyLooks, isSecretShared: given !== undefined })
      return { store, warnings: store.warnings, texts: store.texts }
    },
  },
}

/** The processes that can share a store of the kind. */
export function sharedBy(kind: StoreKind): StoreForm['sharedBy'] {
  return STORES[kind].sharedBy
}

/** The file of the configured store, with its path; undefined if the store has none. */
export function storeFile({
  store,
  dataDir,
}: Pick<Config, 'store' | 'dataDir'>): (Pick<StoreFile, 'layout'> & { readonly path: string }) | undefined {
  const { file } = STORES[store]
  return file && { path: join(dataDir, file.name), layout: file.layout }
}

/** Opens the configured store without binding it to the newest secret. Gives the problems of the secret and the store. */
export async function openStoreToLook(config: Config): Promise<Result<Opened>> {
  const secrets = await deploymentSecrets(config.dataDir, config.secret)
  return secrets.ok ? openStore(config, secrets.value, true) : secrets
}
