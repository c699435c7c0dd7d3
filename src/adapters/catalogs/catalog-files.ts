import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { inFolder } from '../../catalog/readers/index.ts'

/**
 * The files that reading the catalog at a path reads: the path itself, or what a reader wants of the folder. Empty if
 * no reader accepts the folder. Rejects if the path cannot be looked at.
 */
export async function catalogFiles(path: string): Promise<readonly string[]> {
  if (!(await stat(path)).isDirectory()) return [path]
  return inFolder(await readdir(path))?.files.map((name) => join(path, name)) ?? []
}
