import { statSync, type BigIntStats } from 'node:fs'
import { StoreError, storeProblem } from '../problems.ts'

/**
 * Watches whether the file and its log are still those that the connection has open: what is written to a file that was
 * deleted, replaced or truncated since is lost with the process.
 */
export class Presence {
  readonly #file: string
  readonly #inode: bigint
  #log: bigint | undefined
  #bytes: bigint

  /** @param file open by a connection */
  constructor(file: string) {
    const { ino, size } = statSync(file, { bigint: true })
    this.#file = file
    this.#inode = ino
    this.#bytes = size
  }

  /** To call after each commit, before it is acknowledged. Throws `store_file_replaced`. */
  check(): void {
    const held = statusOf(this.#file)
    const log = statusOf(`${this.#file}-wal`)
    this.#log ??= log?.ino
    if (!held || !log) throw this.#replaced(`${held ? 'its -wal file' : 'the file'} was deleted`)
    if (held.ino !== this.#inode || log.ino !== this.#log)
      throw this.#replaced(`another ${held.ino === this.#inode ? '-wal ' : ''}file is in its place`)
    // The file never shrinks: nothing vacuums it.
    if (held.size < this.#bytes) throw this.#replaced('it was truncated')
    this.#bytes = held.size
  }

  #replaced(detail: string): StoreError {
    return new StoreError(storeProblem('store_file_replaced', { file: this.#file, detail }))
  }
}

function statusOf(path: string): BigIntStats | undefined {
  return statSync(path, { bigint: true, throwIfNoEntry: false })
}
