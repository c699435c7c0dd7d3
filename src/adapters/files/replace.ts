import { randomBytes } from 'node:crypto'
import { mkdir, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/**
 * Replaces a file at once: a reader sees the old content or the new one, also where several write. Only this user may read it,
 * and the folders that it makes.
 */
export async function replaceFile(path: string, content: string | Iterable<Uint8Array>): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.${randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, content, { flag: 'wx', mode: 0o600 })
    await rename(draft, path)
  } catch (error) {
    await rm(draft, { force: true })
    throw error
  }
}
