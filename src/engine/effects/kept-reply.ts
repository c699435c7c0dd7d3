import { Pace } from '../../base/slices/pace.ts'
import type { Owner } from '../entry-store.ts'
import type { EngineCall } from '../call.ts'
import type { Reply, RunFacts } from '../contract.ts'
import { engineProblem } from '../problems.ts'
import { resultsText } from '../reply/results.ts'
import { overCapacity } from '../session/entries.ts'
import { keepPieces, piecesOf, readPieces } from '../session/pieces.ts'
import type { StoredRun } from './stored-run.ts'

/** The answer of a run as its entry keeps it. */
interface KeptReply {
  readonly entry: Pick<StoredRun, 'outcome' | 'whole'>
  /** Keeps the rows of a large answer, once the entry is kept. */
  readonly keepRows: () => Promise<void>
}

/** The answer of a run as it is kept: always the outcome of every change, the rows only within capacity. */
export async function keptReply(
  call: EngineCall,
  owner: Owner,
  reply: Reply<RunFacts>,
  lifeMs: number,
): Promise<KeptReply> {
  const alone = (outcome: Reply<RunFacts>) => ({ entry: { outcome }, keepRows: async () => undefined })
  if (!reply.ok) return alone(reply)
  if (lifeMs === 0) return alone(withoutRows(reply))
  const pieces = await replyPieces(call, reply)
  if (!pieces || (await overCapacity(call, owner))) return alone(withoutRows(reply))
  if (pieces.length === 1) return alone(reply)
  const whole = { id: call.newId(), count: pieces.length }
  return {
    entry: { outcome: withoutRows(reply), whole },
    // Where a piece is missing, the answer is given without its rows.
    keepRows: () => keepPieces(call, owner, whole.id, { pieces, lifeMs }).catch(() => undefined),
  }
}

/** The answer as this process may hold it for long: a large one without its rows. */
export async function heldReply(call: EngineCall, reply: Reply<RunFacts>): Promise<Reply<RunFacts>> {
  if (!reply.ok) return reply
  const pieces = await replyPieces(call, reply)
  return pieces?.length === 1 ? reply : withoutRows(reply)
}

function replyPieces(call: EngineCall, reply: Reply<RunFacts>): ReturnType<typeof piecesOf> {
  return piecesOf(reply, call.limits.snapshotBytes, new Pace(call.clock, call.pause))
}

/** The kept answer of a run: with its rows, where they are kept. */
export async function readReply(
  call: EngineCall,
  owner: Owner,
  { outcome, whole }: Pick<StoredRun, 'outcome' | 'whole'>,
): Promise<Reply<RunFacts> | undefined> {
  if (!whole) return outcome
  const pace = new Pace(call.clock, call.pause)
  return (await readPieces<Reply<RunFacts>>(call, owner, whole, pace)) ?? outcome
}

function withoutRows(reply: Extract<Reply<RunFacts>, { ok: true }>): Reply<RunFacts> {
  const { effects, problems } = reply.facts
  const facts = { ...reply.facts, results: [], problems: [...problems, engineProblem('rows_not_kept', {})] }
  const text = resultsText([], [], effects, facts.problems)
  return { ...reply, text, meta: { ...reply.meta, steps: [], paging: [] }, facts }
}
