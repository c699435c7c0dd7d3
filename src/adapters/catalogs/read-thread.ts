import type { Problem } from '../../base/diagnostic.ts'
import { problem } from '../../catalog/problems.ts'
import type { Reading } from '../../catalog/source.ts'
import { JobThread, type JobEnd } from '../threads/job-thread.ts'
import type { CatalogInput } from './settled-in-this-thread.ts'
import { Joined, type Slice } from './slices.ts'

/** The most time and memory for one catalog. */
const MAX_SECONDS = 60
const MAX_HEAP_MB = 480

/** Reads a catalog in a thread of its own. Never rejects: the reading lists the errors. */
export async function readInThread(input: CatalogInput): Promise<Reading> {
  const { path, id = path } = input
  const thread = new JobThread<CatalogInput, Slice>(new URL('./read-worker.js', import.meta.url), {
    timeoutMs: MAX_SECONDS * 1000,
    heapMb: MAX_HEAP_MB,
  })
  const joined = new Joined()
  let reading: Reading | undefined
  const end = await thread.run(input, (slice) => (reading = joined.add(slice)))
  void thread.shutDown()
  return reading ?? { path, id, errors: [reasonOf(end, path)], warnings: [] }
}

function reasonOf(end: JobEnd, path: string): Problem {
  switch (end.kind) {
    case 'too_slow':
      return problem('catalog_too_slow', { path, seconds: MAX_SECONDS }, { file: path })
    case 'out_of_memory':
      return problem('catalog_out_of_memory', { path, most: MAX_HEAP_MB }, { file: path })
    case 'failed':
    case 'done': {
      const reason = end.kind === 'failed' ? end.error.message : 'its thread gave no answer'
      return problem('catalog_unreadable', { path, reason, accepted: [] }, { file: path })
    }
  }
}
