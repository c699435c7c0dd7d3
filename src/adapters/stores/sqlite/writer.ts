import { StoreError, storeProblem } from '../problems.ts'
import { isBusy } from './driver.ts'
import type { Driver } from './driver.ts'
import type { Checkpoints } from './checkpoints.ts'
import type { Life } from './life.ts'
import type { Presence } from './presence.ts'
import { toStoreError, whenFree } from './busy.ts'

/** The most writes in one transaction, so that other processes get the lock in between. */
const MAX_WRITES = 512

interface QueuedWrite {
  /** Does the work; returns what to do after the commit. */
  readonly attempt: () => () => void
  readonly reject: (reason: unknown) => void
  /** Synced to the disk by the next transaction that is not deferred. */
  readonly isDeferred: boolean
}

interface WriterParts {
  readonly db: Driver
  readonly file: string
  /** Throws if the file was migrated to a schema that this version must not write. */
  readonly checkVersion: () => void
  /** Runs in the same transaction, once for each commit. */
  readonly upkeep: (writes: number) => void
  /** Counts and records the commits. */
  readonly life: Pick<Life, 'count' | 'remember'>
  /** Checked after each commit. */
  readonly presence: Presence
  /** Counts what was committed. */
  readonly checkpoints: Checkpoints
}

/**
 * Group commit: writes that arrive while the process is busy or another commit is in progress share one transaction, and
 * so one sync of the disk. A promise resolves after the COMMIT; a write that throws rolls back only its own changes.
 */
export class Writer {
  readonly #db: Driver
  readonly #file: string
  readonly #upkeep: (writes: number) => void
  readonly #checkVersion: () => void
  readonly #life: Pick<Life, 'count' | 'remember'>
  readonly #presence: Presence
  readonly #checkpoints: Checkpoints
  #queue: QueuedWrite[] = []
  #running: Promise<void> | undefined
  #closed = false
  #commits = 0

  constructor({ db, file, checkVersion, upkeep, life, presence, checkpoints }: WriterParts) {
    this.#db = db
    this.#file = file
    this.#checkVersion = checkVersion
    this.#upkeep = upkeep
    this.#life = life
    this.#presence = presence
    this.#checkpoints = checkpoints
  }

  /** How many transactions were committed. */
  get commits(): number {
    return this.#commits
  }

  /** Does the work in a transaction; synchronous, and repeated as a whole if the transaction could not start. */
  write<T>(work: () => T): Promise<T> {
    return this.#queued(work, false)
  }

  /** The same for a large write, which need not be synced to the disk yet: a sync blocks the process for milliseconds. */
  async defer<T>(work: () => T): Promise<T> {
    await this.#checkpoints.underWay
    return this.#queued(work, true)
  }

  #queued<T>(work: () => T, isDeferred: boolean): Promise<T> {
    if (this.#closed)
      return Promise.reject(new StoreError(storeProblem('store_closed', { file: this.#file })))
    return new Promise((resolve, reject) => {
      const attempt = () => {
        const value = work()
        return () => resolve(value)
      }
      this.#queue.push({ attempt, reject, isDeferred })
      this.#running ??= this.#run()
    })
  }

  /** Rejects new writes and waits for those in progress. */
  async close(): Promise<void> {
    this.#closed = true
    await this.#running
    await this.#checkpoints.shutDown()
  }

  async #run(): Promise<void> {
    while (this.#queue.length > 0) {
      await new Promise(setImmediate) // collects the writes of this turn of the event loop
      const batch = this.#queue.splice(0, MAX_WRITES)
      try {
        const settlements = await whenFree(this.#file, () => this.#transaction(batch))
        this.#presence.check()
        for (const settle of settlements) settle()
        this.#checkpoints.committed(this.#db.written())
      } catch (error) {
        for (const request of batch) request.reject(error)
      }
    }
    this.#running = undefined
  }

  /** Runs all requests in one transaction; returns how to settle each one after the commit. */
  #transaction(batch: readonly QueuedWrite[]): readonly (() => void)[] {
    const isDeferred = batch.every((request) => request.isDeferred)
    // The log is synced in order: a later sync covers this transaction.
    this.#db.exec(`PRAGMA synchronous = ${isDeferred ? 'NORMAL' : 'FULL'}; BEGIN IMMEDIATE`)
    try {
      this.#checkVersion()
      const settlements = batch.map((request) => this.#one(request))
      this.#upkeep(batch.length)
      const commit = this.#life.count()
      this.#db.exec('COMMIT')
      this.#commits++
      // What may still be lost is not remembered.
      if (commit !== undefined && !isDeferred) this.#remember(commit)
      return settlements
    } catch (error) {
      this.#rollBack()
      throw error
    }
  }

  /** What is committed is not refused: a note that cannot be written now is written with the next commit. */
  #remember(commit: number): void {
    try {
      this.#life.remember(commit)
    } catch {}
  }

  #one(request: QueuedWrite): () => void {
    this.#db.exec('SAVEPOINT request')
    try {
      const settle = request.attempt()
      this.#db.exec('RELEASE request')
      return settle
    } catch (error) {
      if (isBusy(error)) throw error
      this.#db.exec('ROLLBACK TO request; RELEASE request')
      return () => request.reject(toStoreError(this.#file, error))
    }
  }

  /** SQLite may have rolled back already (a full disk): then there is nothing left to do. */
  #rollBack(): void {
    try {
      this.#db.exec('ROLLBACK')
    } catch {}
  }
}
