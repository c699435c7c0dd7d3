import { mkdir, readFile, rename, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { hasCode } from '../../base/errors.ts'

/** The text of the configuration file; empty if there is none yet. */
export async function readConfigText(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}

/** Replaces a file at once: a reader sees the old text or the new one. Only this user may read it. */
export async function replaceFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const next = `${path}.${process.pid}.next`
  await writeFile(next, text, { mode: 0o600 })
  await rename(next, path)
}
