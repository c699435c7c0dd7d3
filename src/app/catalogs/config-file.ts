import { readFile } from 'node:fs/promises'
import { underLock } from '../../adapters/files/lock.ts'
import { replaceFile } from '../../adapters/files/replace.ts'
import { hasCode } from '../../base/errors.ts'

/** The configuration file while no other command changes it. */
interface OpenConfig {
  /** Empty if there is no file yet. */
  readonly text: string
  readonly replace: (text: string) => Promise<void>
}

/**
 * Changes the configuration file, and with it the copies that it names: of commands that run at once each finds what the one
 * before wrote. What takes long, such as fetching a document, is done before.
 */
export function changeConfig<Done>(
  file: string,
  change: (config: OpenConfig) => Promise<Done>,
): Promise<Done> {
  return underLock(`${file}.lock`, async () =>
    change({ text: await textOf(file), replace: (text) => replaceFile(file, text) }),
  )
}

async function textOf(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return ''
    throw error
  }
}
