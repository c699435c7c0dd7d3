import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Config } from '../../config/read.ts'
import type { Workers } from '../../surfaces/cli/dependencies.ts'
import { appProblem } from '../problems.ts'
import { sharedBy } from '../stores.ts'
import { supervise } from './supervise.ts'

/**
 * Starts the worker processes of the configuration; undefined if it asks for only one process.
 *
 * Gives `workers_need_store`.
 *
 * @param args of this process, which are passed to the workers
 */
export function startWorkers(
  { workers: count, store }: Config,
  args: readonly string[],
): Result<Workers | undefined> {
  if (count === 1) return ok(undefined)
  if (sharedBy(store) === 'none') return failed([appProblem('workers_need_store', { workers: count })])
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  return ok(supervise(count, args, say))
}
