import { problem } from '../../execution/problems.ts'
import { jsonSlices } from '../../base/slices/json-slices.ts'
import { Pace } from '../../base/slices/pace.ts'
import { refuse } from '../reply/answer.ts'
import type { Reply, RunFacts, RunOptions, SnapshotFacts } from '../contract.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { run } from './run.ts'
import { liveSession } from '../session/live-session.ts'
import { readSnapshot, shownResults } from './snapshots.ts'

/** One more page by its handle: the program `page(handle)` of the session that the handle names. */
export async function page(
  call: EngineCall,
  handle: string,
  { limit, signal }: RunOptions & { readonly limit?: number },
): Promise<Reply<RunFacts>> {
  const ref = /^(s\d+)_pg\d+$/.exec(handle)?.[1]
  if (ref === undefined) return refuse([problem('page_unknown', { handle: handle.slice(0, 40) })])
  const program = `page(${handle}${limit === undefined ? '' : `, limit=${limit}`})`
  return run(call, { logical_session_ref: ref, program }, { signal })
}

/** Every computed row of a run, by the link in its answer. The caller must still be allowed all that the run used. */
export async function snapshot(call: EngineCall, uri: string): Promise<Reply<SnapshotFacts>> {
  const named = /^plasm:\/\/session\/([\w-]{1,40})\/r\/([1-9]\d{0,14})$/.exec(uri)
  const missing = () => refuse([engineProblem('unknown_snapshot', { uri: uri.slice(0, 80) })])
  if (!named?.[1] || !named[2]) return missing()
  const session = await liveSession(call, named[1])
  if (!session.ok) return refuse(session.problems)
  const kept = await readSnapshot(call, session.value, named[2])
  if (!kept) return missing()
  const results = shownResults(kept)
  const text = await new Pace(call.clock, call.pause).text(jsonSlices(results))
  return { ok: true, text: `${text}\n`, meta: {}, facts: { uri, results } }
}
