import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import type { Problem } from '../../base/diagnostic.ts'
import { freeze } from '../../base/freeze.ts'
import { problem } from '../../catalog/problems.ts'
import type { Reading } from '../../catalog/source.ts'
import { type ReadAs, readCatalogHere } from './read-here.ts'

/** Files up to this size are read in a few milliseconds, in the thread of the caller. */
const SMALL_BYTES = 32 * 1024
/** The most time and memory for one catalog. */
const MAX_SECONDS = 60
const MAX_HEAP_MB = 480

/** A catalog that a thread is asked to read. */
export interface ReadJob {
  readonly path: string
  readonly as: ReadAs
}

/**
 * Reads the catalog at a path. A large file is read in a thread of its own, within limits of time and memory: the caller's
 * thread goes on. Never rejects: the reading lists the errors.
 */
export async function readCatalogAs(path: string, as: ReadAs): Promise<Reading> {
  // A hostile or careless JSONPath could take long.
  return as.overlay !== undefined || (await isLarge(path))
    ? readInThread({ path, as })
    : readCatalogHere(path, as)
}

/** Reads the catalog at a path under its own id. Never rejects: the reading lists the errors. */
export function readCatalogPath(path: string): Promise<Reading> {
  return readCatalogAs(path, {})
}

async function isLarge(path: string): Promise<boolean> {
  try {
    const found = await stat(path)
    if (found.isFile()) return found.size > SMALL_BYTES
    if (!found.isDirectory()) return false
    const names = (await readdir(path)).filter((name) => name.endsWith('.yaml'))
    const files = await Promise.all(names.map((name) => stat(join(path, name))))
    return files.reduce((sum, { size }) => sum + size, 0) > 4 * SMALL_BYTES
  } catch {
    return false
  }
}

function readInThread(job: ReadJob): Promise<Reading> {
  const { path, as } = job
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./read-worker.js', import.meta.url), {
      workerData: job,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const end = (reading: Reading) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      void worker.terminate()
      resolve(reading)
    }
    const refuse = (error: Problem) => end({ path, id: as.id ?? path, errors: [error], warnings: [] })
    const timer = setTimeout(
      () => refuse(problem('catalog_too_slow', { path, seconds: MAX_SECONDS }, { file: path })),
      MAX_SECONDS * 1000,
    )
    worker.once('message', (reading: Reading) =>
      end(reading.catalog ? { ...reading, catalog: freeze(reading.catalog) } : reading),
    )
    worker.once('error', (error) => {
      const isMemory = 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY'
      const reason = error.message
      refuse(
        isMemory
          ? problem('catalog_out_of_memory', { path, most: MAX_HEAP_MB }, { file: path })
          : problem('catalog_unreadable', { path, reason, accepted: [] }, { file: path }),
      )
    })
  })
}
