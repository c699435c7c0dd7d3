import type { Clock } from '../../../base/clock.ts'
import { lengthPrefixed } from '../../../base/canonical.ts'
import { hmac128, type Secrets } from '../../../base/hash.ts'
import type { SharedTexts } from '../../../access/shared-texts.ts'
import type { Store } from '../../../engine/store.ts'
import { composeStore } from '../compose.ts'
import { StoreError, storeProblem, type StoreProblem } from '../problems.ts'
import { StoreEpoch } from './store-epoch.ts'
import { Commits } from './commits.ts'
import { RedisEntries } from './entries.ts'
import { Functions } from './functions.ts'
import { Keys } from './keys.ts'
import { Link } from './link.ts'
import { StoredModels } from './models.ts'
import { Names } from './names.ts'
import { inspectServer } from './server.ts'
import { redisTexts } from './shared-texts.ts'
import { RedisSessions } from './sessions.ts'
import { RedisTranscripts } from './transcripts.ts'

export interface RedisOptions {
  /** `redis[s]://[[user][:password]@]host[:port][/database]` */
  readonly url: string
  /** The deployment's secrets, newest first: a store that belongs to another secret is refused. */
  readonly secrets: Secrets
  /** Read-only inspection: does not rebind the store to the newest secret. */
  readonly onlyLooks?: boolean
  /** Was the secret configured for every node, or generated on this machine? Other nodes cannot know a generated one. */
  readonly isSecretShared: boolean
  /** Separates deployments on one server: up to 32 of letters, digits, `.`, `_` and `-`. Empty by default. */
  readonly prefix?: string
  /** Replaces the server's clock: for tests. */
  readonly clock?: Clock
  /** The timeout of one command in milliseconds, including the wait for a connection: 2000 by default. */
  readonly timeoutMs?: number
}

export interface RedisStore extends Store {
  /** Warnings for the operator about the server. */
  readonly warnings: readonly StoreProblem[]
  readonly texts: SharedTexts
}

const TIMEOUT_MS = 2000

/**
 * A store in a Redis server, shared by any number of nodes. Its clock is the server's. Rejects with a `StoreError`:
 * `store_unavailable`, at any time, if the server does not answer in time; `store_unfit`, `store_secret_differs`,
 * `store_needs_secret` or `store_newer` when it is opened. A rejected call may or may not have been applied; a repeated
 * commit recognizes its own id.
 */
export async function redisStore(options: RedisOptions): Promise<RedisStore> {
  const { url, prefix = '', timeoutMs = TIMEOUT_MS } = options
  const reads = new Link(url, timeoutMs)
  const writes = new Link(url, timeoutMs)
  try {
    refuseOptions(options, reads.server)
    const warnings = await inspectServer(reads)
    const keys = new Keys(prefix)
    const store = await openStore(reads, writes, keys, options)
    return { ...store, warnings, texts: redisTexts(reads, keys) }
  } catch (error) {
    await Promise.all([reads.close(), writes.close()])
    throw error
  }
}

async function openStore(reads: Link, writes: Link, keys: Keys, options: RedisOptions): Promise<Store> {
  const { clock, prefix = '', secrets, onlyLooks = false } = options
  const functions = new Functions(reads)
  const checks = secrets.map((secret) => hmac128(secret, lengthPrefixed(['redis', 'check', prefix])))
  const epoch = new StoreEpoch(reads, functions, keys, checks)
  await functions.load()
  await epoch.meet()
  if (!onlyLooks) await epoch.takeOver()
  const parts = { link: reads, functions, epoch, keys, clock }
  const names = new Names(parts)
  const models = new StoredModels(parts)
  const commits = new Commits(writes, new Functions(writes), keys, clock)
  const sessions = new RedisSessions({ ...parts, commits, names, models })
  const entries = new RedisEntries(parts)
  const transcripts = new RedisTranscripts(parts)
  return composeStore(`redis (${reads.server})`, { sessions, entries, transcripts }, async () => {
    await names.settle()
    await Promise.all([reads.close(), writes.close()])
  })
}

function refuseOptions({ isSecretShared, prefix = '' }: RedisOptions, server: string): void {
  if (!isSecretShared) throw new StoreError(storeProblem('store_needs_secret', { server }))
  // A brace would move the hash tag, and with it keys out of their slot.
  if (!/^[\w.-]{0,32}$/.test(prefix)) {
    const detail = `PLASMID_REDIS_PREFIX is ${JSON.stringify(prefix)}`
    const remedy = 'Use up to 32 letters, digits, dots, dashes and underscores'
    throw new StoreError(storeProblem('store_unfit', { server, detail, remedy }))
  }
}
