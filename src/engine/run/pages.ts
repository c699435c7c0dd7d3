import type { Caller } from '../../access/caller.ts'
import { refuse } from '../reply/answer.ts'
import type { Reply, RunFacts, RunOptions, SnapshotFacts } from '../contract.ts'
import type { Models } from '../session/models.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { run } from './run.ts'
import type { Snapshot } from './publish.ts'
import { liveSession } from '../session/live-session.ts'
import { mayUseAll } from '../session/uses.ts'
import { fromKept } from '../session/kept.ts'
import { isOf } from '../session/entries.ts'

/** One more page by its handle: the program `page(handle)` of the session that the handle names. */
export async function page(
  parts: Parts,
  models: Models,
  caller: Caller,
  handle: string,
  { limit, signal }: RunOptions & { readonly limit?: number },
): Promise<Reply<RunFacts>> {
  const ref = /^(s\d+)_pg\d+$/.exec(handle)?.[1]
  if (ref === undefined) return refuse([engineProblem('unknown_handle', { handle: handle.slice(0, 40) })])
  const program = `page(${handle}${limit === undefined ? '' : `, limit=${limit}`})`
  return run(parts, models, caller, { logical_session_ref: ref, program }, { signal })
}

/** Every computed row of a run, by the link in its answer: for who may still use everything that it was made with. */
export async function snapshot(
  parts: Parts,
  models: Models,
  caller: Caller,
  uri: string,
): Promise<Reply<SnapshotFacts>> {
  const named = /^plasm:\/\/session\/([\w-]{1,40})\/r\/([1-9]\d{0,14})$/.exec(uri)
  const missing = () => refuse([engineProblem('unknown_snapshot', { uri: uri.slice(0, 80) })])
  if (!named?.[1] || !named[2]) return missing()
  const session = await liveSession(parts, models, caller, named[1])
  if (!session.ok) return refuse(session.problems)
  const entry = await parts.store.read(session.value.owner, 'snapshot', named[2])
  if (!entry) return missing()
  const { uses, results, ref } = fromKept<Snapshot>(entry)
  if (!isOf(session.value, { ref }) || !mayUseAll(caller, uses)) return missing()
  return { ok: true, text: `${JSON.stringify(results)}\n`, meta: {}, facts: { uri, results } }
}
