import { problemsOf } from '../../base/diagnostic.ts'

interface AboutFile {
  readonly file: string
}
interface WithDetail extends AboutFile {
  readonly detail: string
}
interface AboutServer {
  readonly server: string
}

const table = {
  store_busy: {
    message: ({ file }: AboutFile) => `The store ${file} stayed locked by another process for too long.`,
    next: () =>
      'Repeat the call; if the problem persists, find the process that locks the file (a backup, a sqlite3 shell).',
  },
  store_newer: {
    message: ({ file, found, known }: AboutFile & { readonly found: number; readonly known: number }) =>
      `A newer Plasmid migrated the store ${file} to schema ${found}; this version supports schema ${known}.`,
    next: () => 'Restart this process with the newer version, then repeat the call.',
  },
  store_damaged: {
    message: ({ file, detail }: WithDetail) => `The store ${file} is damaged: ${detail}.`,
    next: () =>
      'Restore the file from a backup, or move it away with its -wal and -shm files to start with an empty store.',
  },
  store_file_replaced: {
    message: ({ file, detail }: WithDetail) =>
      `The store ${file} changed under the running server: ${detail}. Changes since then are lost.`,
    next: () => 'Restore the file from a backup if it is needed, then restart the server.',
  },
  store_foreign: {
    message: ({ file, detail }: WithDetail) => `The file ${file} is not a Plasmid store: ${detail}.`,
    next: () => 'Choose another file; this one was not changed.',
  },
  store_unusable: {
    message: ({ file, detail }: WithDetail) => `Cannot create the store at ${file}: ${detail}.`,
    next: () => 'Choose a file on a local disk, in a folder that this user can write to.',
  },
  store_without_driver: {
    message: ({ detail, node }: { readonly detail: string; readonly node: string }) =>
      `Node ${node} has no SQLite, and the package \`libsql\` cannot be loaded: ${detail}.`,
    next: () =>
      'Use Node 22.13 or newer, install again with optional dependencies, or choose another store with `--store`.',
  },
  store_failed: {
    message: ({ file, detail }: WithDetail) => `Cannot read or write the store ${file}: ${detail}.`,
    next: () => 'Check the disk (space, permissions, health), then repeat the call.',
  },
  store_full: {
    message: ({ file }: AboutFile) => `The disk of the store ${file} is full: nothing was changed.`,
    next: () => 'Free space on the disk, then repeat the call.',
  },
  store_closed: {
    message: ({ file }: AboutFile) => `The store ${file} is closed.`,
    next: () => 'Repeat the call when the server runs again.',
  },
  store_unavailable: {
    message: ({ server, detail }: AboutServer & { readonly detail: string }) =>
      `Cannot reach the store ${server}: ${detail}.`,
    next: () =>
      'Repeat the call in a moment; if the problem persists, check the Redis server and the network.',
  },
  store_unfit: {
    message: ({ server, detail }: AboutServer & { readonly detail: string }) =>
      `The store ${server} is not configured for sessions: ${detail}.`,
    next: ({ remedy }: { readonly remedy: string }) => `${remedy}.`,
  },
  store_secret_differs: {
    message: ({ server, store }: AboutServer & { readonly store: string }) =>
      `The store ${server} belongs to a deployment with another secret (at ${store}).`,
    next: () =>
      'Start every node with the same PLASMID_SECRET; during a rotation, list older secrets after the new one. For a second deployment on this server, set another PLASMID_REDIS_PREFIX.',
  },
  store_needs_secret: {
    message: ({ server }: AboutServer) =>
      `The store ${server} is shared, but this node generated its own secret.`,
    next: () => 'Set PLASMID_SECRET to the same value on every node.',
  },
  store_forgetful: {
    message: ({ server }: AboutServer) =>
      `The store ${server} has appendonly off; a crash of that server loses acknowledged sessions.`,
    next: () => 'Set appendonly yes on the Redis server.',
  },
}

export const storeProblem = problemsOf(table)

export type StoreProblem = ReturnType<typeof storeProblem>

/** Codes of transient causes: nothing was changed, and the call may be repeated. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'store_busy',
  'store_newer',
  'store_full',
  'store_closed',
  'store_unavailable',
])

/** A store failure. Thrown, since no caller of the engine causes it. */
export class StoreError extends Error {
  readonly problem: StoreProblem
  readonly retryable: boolean
  /** The problem of the engine that a caller gets, if it is not the one of every retryable error. */
  readonly callerCode: 'store_replaced' | undefined

  constructor(problem: StoreProblem, options?: ErrorOptions) {
    super(`${problem.message} ${problem.next}`, options)
    this.name = 'StoreError'
    this.problem = problem
    this.retryable = RETRYABLE.has(problem.code)
    this.callerCode = problem.code === 'store_file_replaced' ? 'store_replaced' : undefined
  }
}
