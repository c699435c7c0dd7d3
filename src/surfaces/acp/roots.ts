import { realpath, stat } from 'node:fs/promises'
import { isAbsolute, resolve } from 'node:path'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { readRoot } from '../../engine/index.ts'
import { acpProblem } from './problems.ts'

/** The directories of a session: the first is `cwd`. */
export interface Roots {
  readonly cwd: string
  /** In their order, each once. */
  readonly additionalDirectories: readonly string[]
}

/**
 * Checks the directories of a request without looking at the disk. Gives `path_relative` for each whose spelling cannot name a
 * workspace: its session would have none, and with it other rights.
 */
export function readRoots({
  cwd: sent,
  additionalDirectories = [],
}: {
  readonly cwd: string
  readonly additionalDirectories?: readonly string[] | undefined
}): Result<Roots> {
  const cwd = withoutDots(sent)
  const problems: Problem[] = [
    ...relative('cwd', cwd),
    ...additionalDirectories.flatMap((path, index) =>
      relative(`additionalDirectories.${index}`, withoutDots(path)),
    ),
  ]
  if (problems.length > 0) return failed(problems)
  const more = [...new Set(additionalDirectories)].filter((path) => path !== cwd)
  return ok({ cwd, additionalDirectories: more })
}

/** With `..` resolved: the directory that is announced, stored and given to processes is the same one. */
function withoutDots(path: string): string {
  return isAbsolute(path) && path.split('/').includes('..') ? resolve(path) : path
}

function relative(field: string, path: string): Problem[] {
  // A path that ends with a space is another directory than the one that it names without.
  const isUsable = readRoot(path) !== undefined && path === path.trim()
  return isUsable ? [] : [acpProblem('path_relative', { field, path: path.slice(0, 200) })]
}

/** `cwd_unusable` if it is no directory. */
export async function whyUnusable(path: string): Promise<Problem | undefined> {
  const found = await stat(path).catch(() => undefined)
  if (found?.isDirectory()) return undefined
  return acpProblem('cwd_unusable', { path, reason: found ? 'is a file' : 'does not exist' })
}

/** Do both name one directory, in whatever spelling? */
export async function isSameDirectory(a: string, b: string): Promise<boolean> {
  if (resolve(a) === resolve(b)) return true
  const [realA, realB] = await Promise.all([a, b].map((path) => realpath(path).catch(() => resolve(path))))
  return realA === realB
}
