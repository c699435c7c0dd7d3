import type { Problem } from '../../base/diagnostic.ts'
import type { EffectOutcome, Unsent } from '../../execution/outcome.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { runReply } from '../reply/answer.ts'
import { resultsText } from '../reply/results.ts'
import { fromKept } from '../session/kept.ts'
import type { SessionPlan } from '../session/live-session.ts'
import type { EffectBound } from './effects.ts'
import { type LedgerLine, lineName, loopName } from './ledger.ts'
import { linesOf, type StoredRun } from './stored-run.ts'
import { tellingRead } from './telling-read.ts'

/** What the ledger knows of a run that ended without an answer. */
export interface Account {
  /** The plan that ran: the program's own, or that of the rows that an earlier run did not send. */
  readonly ran: SessionPlan['plan']
  readonly outcomes: readonly EffectOutcome[]
  /** Of each loop of which something was sent: the rows that were not. */
  readonly unsent: readonly Unsent[]
}

/**
 * Each change as the ledger knows it. One without a noted outcome is `unknown`, with a read that shows it; one without a line
 * was not sent, unless the store lost lines.
 */
export async function cutOffAccount(parts: Parts, planned: SessionPlan, stored: StoredRun): Promise<Account> {
  const { session } = planned
  const ran = stored.rest ?? planned.plan
  const outcomes: EffectOutcome[] = []
  const unsent: Unsent[] = []
  for (const effect of stored.effects) {
    const loop = await loopOf(parts, session, stored, effect)
    const own = await outcomesOf(parts, { session, plan: ran }, stored, { effect, loop })
    outcomes.push(...own)
    const rows = loop?.rows.filter((_, at) => own[at]?.state === 'not_sent') ?? []
    if (loop && rows.length > 0 && rows.length < own.length) unsent.push({ ...loop, rows })
  }
  return { ran, outcomes, unsent }
}

/** The answer for a run that ended without one. */
export function cutOffReply(
  { session }: SessionPlan,
  { outcomes, unsent }: Account,
  offered: readonly Problem[],
): Reply<RunFacts> {
  const isOffered = ({ node }: EffectOutcome) =>
    offered.length > 0 && unsent.some((loop) => loop.node === node)
  const left = {
    wasSent: outcomes.some(({ state }) => state !== 'not_sent'),
    isUnknown: outcomes.some(({ state }) => state === 'unknown'),
    isPlanned: offered.length > 0,
    isUnplanned: outcomes.some((one) => one.state === 'not_sent' && !isOffered(one)),
  }
  const problems = [engineProblem('run_cut_off', left, { path: 'program' }), ...offered]
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

/** The calls of a loop as they were before the first left; undefined where none left, or they could not be kept. */
async function loopOf(
  { store }: Parts,
  { owner }: SessionPlan['session'],
  { run = '', lost }: StoredRun,
  { node }: EffectBound,
): Promise<Unsent | undefined> {
  const entry = lost ? null : await store.read(owner, 'loop', loopName(run, node))
  return entry ? fromKept<Unsent>(entry) : undefined
}

const UNSENT = { state: 'not_sent', identity: undefined } as const

/** Where the rows of a loop are not known, the first without a line is the first that was not reached. */
async function outcomesOf(
  { store }: Parts,
  { session, plan }: SessionPlan,
  stored: StoredRun,
  { effect, loop }: { readonly effect: EffectBound; readonly loop: Unsent | undefined },
): Promise<EffectOutcome[]> {
  const { node, catalog, capability, most } = effect
  const outcomes: EffectOutcome[] = []
  const entity = plan.nodes.find(({ id }) => id === node)?.entity
  const outcome = (state: EffectOutcome['state'], identity?: LedgerLine['identity']): EffectOutcome => {
    const read = entity && tellingRead(session, entity, identity)
    const problem = state === 'unknown' ? engineProblem('effect_cut_off', { read }) : undefined
    return { node, row: outcomes.length, capability, catalog, state, ...(problem && { problem }) }
  }
  const all = loop?.rows.length ?? most
  while (outcomes.length < all) {
    const entry = await store.read(session.owner, 'effect', lineName(linesOf(stored), node, outcomes.length))
    if (!entry && !loop) break
    const { state, identity } = entry ? fromKept<LedgerLine>(entry) : UNSENT
    outcomes.push(outcome(state === 'sent' ? 'unknown' : state, identity))
  }
  if (outcomes.length < all && stored.lost) outcomes.push(outcome('unknown'))
  else if (outcomes.length === 0) outcomes.push(outcome('not_sent'))
  return outcomes
}
