import { Worker } from 'node:worker_threads'
import type { Problem } from '../../base/diagnostic.ts'
import { problem } from '../../catalog/problems.ts'
import type { Reading } from '../../catalog/source.ts'
import type { CatalogInput } from './settled-here.ts'
import { Joined, type Slice } from './slices.ts'

/** The most time and memory for one catalog. */
const MAX_SECONDS = 60
const MAX_HEAP_MB = 480

/** Reads a catalog in a thread of its own. Never rejects: the reading lists the errors. */
export function readInThread(input: CatalogInput): Promise<Reading> {
  const { path, id = path } = input
  return new Promise((resolve) => {
    const worker = new Worker(new URL('./read-worker.js', import.meta.url), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: MAX_HEAP_MB },
    })
    const end = (reading: Reading) => {
      clearTimeout(timer)
      worker.removeAllListeners()
      worker.on('error', () => undefined)
      void worker.terminate()
      resolve(reading)
    }
    const refuse = (error: Problem) => end({ path, id, errors: [error], warnings: [] })
    const timer = setTimeout(
      () => refuse(problem('catalog_too_slow', { path, seconds: MAX_SECONDS }, { file: path })),
      MAX_SECONDS * 1000,
    )
    const joined = new Joined()
    worker.on('message', (slice: Slice) => {
      const reading = joined.add(slice)
      if (reading) end(reading)
      // Other work of this thread goes before the next slice.
      else setImmediate(() => worker.postMessage('next'))
    })
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
