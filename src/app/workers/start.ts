import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Config } from '../../config/read.ts'
import { appProblem } from '../problems.ts'
import { supervise, type Workers } from './supervise.ts'

/**
 * Starts the processes that the configuration asks for; undefined where it asks for one, which needs no other.
 *
 * Gives `workers_need_store`.
 *
 * @param args of this process, which the others get as well
 */
export function startWorkers(
  { workers: count, store }: Config,
  args: readonly string[],
): Result<(Workers & { readonly count: number }) | undefined> {
  if (count === 1) return ok(undefined)
  if (store === 'memory') return failed([appProblem('workers_need_store', { workers: count })])
  const say = (line: string) => void process.stderr.write(`${line}\n`)
  return ok(Object.assign(supervise(count, args, say), { count }))
}
