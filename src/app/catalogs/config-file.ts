import { readFile } from 'node:fs/promises'
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
