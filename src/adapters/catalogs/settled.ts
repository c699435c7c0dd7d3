import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Reading } from '../../catalog/source.ts'
import { readInThread } from './read-thread.ts'
import { type CatalogInput, settledHere } from './settled-here.ts'

export type { CatalogInput } from './settled-here.ts'

/** Files up to this size are read in a few milliseconds, in the thread of the caller. */
const SMALL_BYTES = 32 * 1024

/**
 * Reads a catalog and applies the operator's settings. A large file is read in a thread of its own, within limits of time and
 * memory: the caller's thread goes on. Never rejects: the reading lists the errors.
 */
export async function settled(input: CatalogInput): Promise<Reading> {
  // A careless JSONPath of an overlay could take long.
  const isLong = input.overlay !== undefined || (await isLarge(input.path))
  return isLong ? readInThread(input) : settledHere(input)
}

/** Reads the catalog at a path under its own id. Never rejects: the reading lists the errors. */
export function readCatalogPath(path: string): Promise<Reading> {
  return settled({ path })
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
