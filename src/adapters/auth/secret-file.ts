import { randomBytes } from 'node:crypto'
import { statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { hasCode, reasonOf } from '../../base/errors.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { createFile } from '../files/replace.ts'
import { AT_ONCE, ourselves, whyUntrusted } from './our-files.ts'
import { authProblem } from './problems.ts'

/** Random bytes in a generated secret. */
const MADE_BYTES = 32
/** The minimum length of a stored secret, in characters: a generated one has 43. */
const MIN_CHARACTERS = 32

/**
 * The secret in a file, which is generated once (43 characters of base64url, mode 0600). Processes that start
 * concurrently all get the same secret: the file appears complete or not at all.
 *
 * Gives `secret_readable`, `secret_too_short` or `secret_unreadable` for a file that cannot be trusted.
 */
export async function secretFile(path: string): Promise<Result<string>> {
  try {
    await createOnce(path)
    return secretIn(path, await readFile(path, AT_ONCE))
  } catch (error) {
    return failed([authProblem('secret_unreadable', { path, reason: reasonOf(error) })])
  }
}

/** The secret that was read from a file. Gives the same problems as `secretFile`. */
export function secretIn(path: string, text: string): Result<string> {
  const found = statSync(path)
  const us = ourselves()
  if (us && (found.mode & 0o077) !== 0) {
    const mode = (found.mode & 0o777).toString(8).padStart(4, '0')
    return failed([authProblem('secret_readable', { path, mode })])
  }
  const exposed = whyUntrusted(found)
  if (exposed !== undefined) return failed([authProblem('secret_unreadable', { path, reason: exposed })])
  const secret = text.trim()
  return secret.length < MIN_CHARACTERS
    ? failed([authProblem('secret_too_short', { where: path, wanted: MIN_CHARACTERS, bytes: secret.length })])
    : ok(secret)
}

async function createOnce(path: string): Promise<void> {
  if (await exists(path)) return
  try {
    await createFile(path, `${randomBytes(MADE_BYTES).toString('base64url')}\n`)
  } catch (error) {
    // Another process was first: its secret is used.
    if (!hasCode(error, 'EEXIST')) throw error
  }
}

async function exists(path: string): Promise<boolean> {
  try {
    await stat(path)
    return true
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return false
    throw error
  }
}
