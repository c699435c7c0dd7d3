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
    message: ({ file }: AboutFile) => `the store ${file} stayed locked by another process for too long`,
    next: () =>
      'repeat the call; if that goes on, look for a process that holds the file (a backup, a shell of sqlite3)',
  },
  store_newer: {
    message: ({ file, found, known }: AboutFile & { readonly found: number; readonly known: number }) =>
      `the store ${file} was moved to schema ${found} by a newer Plasmid, and this one writes schema ${known}`,
    next: () => 'restart this process with the newer version and repeat the call',
  },
  store_damaged: {
    message: ({ file, detail }: WithDetail) => `the store ${file} is damaged: ${detail}`,
    next: () =>
      'restore the file from a backup, or move it away together with its -wal and -shm files to start an empty store',
  },
  store_foreign: {
    message: ({ file, detail }: WithDetail) => `${file} is not a store of Plasmid: ${detail}`,
    next: () => 'name another file; this one was left as it is',
  },
  store_unusable: {
    message: ({ file, detail }: WithDetail) => `the store cannot live at ${file}: ${detail}`,
    next: () => 'name a file in a folder on a local disk that this user may write to',
  },
  store_failed: {
    message: ({ file, detail }: WithDetail) => `the store ${file} could not be read or written: ${detail}`,
    next: () => 'look at the disk (space, permissions, health) and repeat the call',
  },
  store_closed: {
    message: ({ file }: AboutFile) => `the store ${file} was shut down`,
    next: () => 'repeat the call once the server runs again',
  },
  store_unavailable: {
    message: ({ server, detail }: AboutServer & { readonly detail: string }) =>
      `the store ${server} cannot be reached: ${detail}`,
    next: () => 'repeat the call in a moment; if that goes on, look at the Redis server and the way to it',
  },
  store_unfit: {
    message: ({ server, detail }: AboutServer & { readonly detail: string }) =>
      `the store ${server} cannot keep sessions: ${detail}`,
    next: ({ remedy }: { readonly remedy: string }) => remedy,
  },
  store_secret_differs: {
    message: ({ server, store }: AboutServer & { readonly store: string }) =>
      `the store ${server} is known by another secret (at ${store})`,
    next: () =>
      'start every node with the same PLASMID_SECRET, older ones behind the new one while it is changed; for a second deployment on this server, set another PLASMID_REDIS_PREFIX',
  },
  store_needs_secret: {
    message: ({ server }: AboutServer) =>
      `the store ${server} is shared, and the secret of this node was made on its own machine`,
    next: () => 'set PLASMID_SECRET to the same value on every node',
  },
  store_forgetful: {
    message: ({ server }: AboutServer) =>
      `the store ${server} has appendonly off: a crash of that server loses sessions that were acknowledged`,
    next: () => 'set appendonly yes on the Redis server',
  },
}

export const storeProblem = problemsOf(table)

export type StoreProblem = ReturnType<typeof storeProblem>

/** Codes whose cause passes by itself or with a restart: nothing was changed, and the call may be repeated. */
const RETRYABLE: ReadonlySet<string> = new Set([
  'store_busy',
  'store_newer',
  'store_closed',
  'store_unavailable',
])

/** Lost infrastructure: thrown, since nobody who calls the engine has caused it. */
export class StoreError extends Error {
  readonly problem: StoreProblem
  readonly retryable: boolean

  constructor(problem: StoreProblem, options?: ErrorOptions) {
    super(`${problem.message}; ${problem.next}`, options)
    this.name = 'StoreError'
    this.problem = problem
    this.retryable = RETRYABLE.has(problem.code)
  }
}
