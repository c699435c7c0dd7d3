import { stat } from 'node:fs/promises'
import type { Reading } from '../../catalog/source.ts'
import { catalogFiles } from './catalog-files.ts'
import { preparedReading } from './prepared.ts'
import { readInThread } from './read-thread.ts'
import type { CatalogInput } from './settled-in-this-thread.ts'

export type { CatalogInput } from './settled-in-this-thread.ts'

/** Files up to this size are read in the thread of the caller: in a few milliseconds, or a tenth of a second if they are hostile. */
const SMALL_BYTES = 8 * 1024

/**
 * Reads a catalog and applies the operator's settings. A large file is read in a thread of its own, within limits of time and
 * memory: the caller's thread goes on. Never rejects: the reading lists the errors.
 */
export async function settled(input: CatalogInput): Promise<Reading> {
  const { path, prepared } = input
  const kept = prepared === undefined ? undefined : await preparedReading(path, prepared)
  if (kept) return kept
  // A careless JSONPath of an overlay could take long.
  const isLong = input.overlay !== undefined || (await isLarge(input.path))
  if (isLong) return readInThread(input)
  // Loaded where it is used: many servers read no file.
  const { settledInThisThread } = await import('./settled-in-this-thread.ts')
  return settledInThisThread(input)
}

/** Reads the catalog at a path under its own id. Never rejects: the reading lists the errors. */
export function readCatalogPath(path: string): Promise<Reading> {
  return settled({ path })
}

async function isLarge(path: string): Promise<boolean> {
  try {
    const [first, ...more] = await Promise.all((await catalogFiles(path)).map((file) => stat(file)))
    if (!first) return false
    const isFolder = more.length > 0
    const size = [first, ...more].reduce((sum, file) => sum + file.size, 0)
    return size > (isFolder ? 4 * SMALL_BYTES : SMALL_BYTES)
  } catch {
    return false
  }
}
