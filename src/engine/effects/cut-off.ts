import type { EffectOutcome } from '../../execution/outcome.ts'
import { runReply } from '../reply/answer.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { EffectBound } from './effects.ts'
import { type LedgerLine, lineName } from './ledger.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { resultsText } from '../reply/results.ts'
import type { SessionPlan } from '../session/live-session.ts'
import type { StoredRun } from './stored-run.ts'
import { tellingRead } from './telling-read.ts'
import { fromKept } from '../session/kept.ts'

/**
 * The answer for a run that ended without one: each change as the ledger knows it. One without a noted outcome is
 * `unknown`, with a read that shows it; one without a line was not sent, unless the store lost lines.
 */
export async function cutOffReply(
  parts: Parts,
  planned: SessionPlan,
  stored: Pick<StoredRun, 'run' | 'effects' | 'lost' | 'rest'>,
): Promise<Reply<RunFacts>> {
  const outcomes: EffectOutcome[] = []
  const { session } = planned
  const ran = { session, plan: stored.rest ?? planned.plan }
  for (const effect of stored.effects) outcomes.push(...(await outcomesOf(parts, ran, stored, effect)))
  const problems = [engineProblem('run_cut_off', {}, { path: 'program' })]
  return runReply(
    resultsText([], [], outcomes, problems),
    { logical_session_ref: session.shownRef, steps: [], paging: [] },
    {
      logicalSessionRef: session.shownRef,
      results: [],
      effects: outcomes,
      usage: { calls: 0, rows: 0, bytes: 0, milliseconds: 0 },
      problems,
    },
  )
}

/** The lines of one node stand in the order of its rows: the first without a line is the first that was not reached. */
async function outcomesOf(
  { store }: Parts,
  { session, plan }: SessionPlan,
  { run = '', lost }: Pick<StoredRun, 'run' | 'lost'>,
  { node, catalog, capability, most }: EffectBound,
): Promise<EffectOutcome[]> {
  const outcomes: EffectOutcome[] = []
  const entity = plan.nodes.find(({ id }) => id === node)?.entity
  const outcome = (state: EffectOutcome['state'], identity?: LedgerLine['identity']): EffectOutcome => {
    const read = entity && tellingRead(session, entity, identity)
    const problem = state === 'unknown' ? engineProblem('effect_cut_off', { read }) : undefined
    return { node, row: outcomes.length, capability, catalog, state, ...(problem && { problem }) }
  }
  while (outcomes.length < most) {
    const entry = await store.read(session.owner, 'effect', lineName(run, node, outcomes.length))
    if (!entry) break
    const { state, identity } = fromKept<LedgerLine>(entry)
    outcomes.push(outcome(state === 'sent' ? 'unknown' : state, identity))
  }
  if (outcomes.length < most && lost) outcomes.push(outcome('unknown'))
  else if (outcomes.length === 0) outcomes.push(outcome('not_sent'))
  return outcomes
}
