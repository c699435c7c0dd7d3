import { constants } from 'node:fs'
import { access, mkdir, stat, statfs } from 'node:fs/promises'
import { dirname } from 'node:path'
import { whyUntrusted } from '../adapters/auth/our-files.ts'
import { hasCode, reasonOf } from '../base/errors.ts'
import type { Problem } from '../base/diagnostic.ts'
import { appProblem } from './problems.ts'

/** File systems of the kernel that hold no files of users, by their Linux magic numbers: proc, sysfs, cgroup2, devpts, securityfs. */
const PSEUDO = new Set([0x9fa0, 0x62656572, 0x63677270, 0x1cd1, 0x73636673])

/** Creates the data directory if it is missing, for this user only. Gives `data_dir_unusable`. */
export async function makeDataDir(path: string): Promise<Problem | undefined> {
  // Node never returns from `mkdir` with `recursive` below /proc.
  const fault = await dataDirFault(path)
  if (fault) return fault
  try {
    await mkdir(path, { recursive: true, mode: 0o700 })
    return undefined
  } catch (error) {
    return unusable(path, error)
  }
}

/** Why a data directory cannot be used, or created, as `data_dir_unusable`; undefined if it can. Changes nothing. */
export async function dataDirFault(path: string): Promise<Problem | undefined> {
  try {
    const existing = await nearestExisting(path)
    if (!(await stat(existing)).isDirectory()) throw new Error(`${existing} is not a directory`)
    if (PSEUDO.has((await statfs(existing)).type)) throw new Error('its file system stores no files')
    await access(existing, constants.R_OK | constants.W_OK | constants.X_OK)
    return undefined
  } catch (error) {
    return unusable(path, error)
  }
}

/** What an operator should know of the data directory: other users can change what it holds. */
export async function dataDirWarnings(path: string): Promise<string[]> {
  const why = whyUntrusted(await stat(path))
  return why === undefined ? [] : [`The data directory ${path} is not safe: ${why}.`]
}

/** The path, or the first of its parents that exists. */
async function nearestExisting(path: string): Promise<string> {
  try {
    await stat(path)
    return path
  } catch (error) {
    const isMissing = hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')
    if (!isMissing || dirname(path) === path) throw error
    return nearestExisting(dirname(path))
  }
}

function unusable(path: string, error: unknown): Problem {
  return appProblem('data_dir_unusable', { path, reason: whyRefused(error) })
}

function whyRefused(error: unknown): string {
  if (hasCode(error, 'EACCES') || hasCode(error, 'EPERM')) return 'permission is denied'
  if (hasCode(error, 'EROFS')) return 'its file system is read-only'
  return reasonOf(error)
}
