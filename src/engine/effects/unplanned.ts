import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { EngineCall } from '../call.ts'
import type { Reply, RunFacts } from '../contract.ts'
import { unplannedName } from './earlier-run.ts'
import type { EffectBound } from './effects.ts'
import { toKept } from '../session/kept.ts'
import { LEASE_MS } from './lease.ts'
import { engineProblem } from '../problems.ts'
import { overCapacity } from '../session/entries.ts'
import { withProblem } from '../reply/answer.ts'
import type { SessionPlan } from '../session/live-session.ts'
import { type ClaimedRun, startedRun } from './started-run.ts'

/** How long after its run ended the same program counts as the same call, delivered twice. */
const SAME_CALL_MS = 60_000

/** How often a call starts over when others claim the same program concurrently. */
const ATTEMPTS = 10

/**
 * Claims a run of a program that changes data and needs no plan, so that its effects happen at most once. Only the program
 * identifies such a run: the same program of the same principal in the same session gives the recorded outcome for a minute,
 * and is refused while it runs. A run that was cut off is reported to the next call with the program, as long as its ledger
 * is kept.
 */
export async function claimUnplanned(
  call: EngineCall,
  planned: SessionPlan,
  effects: readonly EffectBound[],
): Promise<Result<{ readonly claimed: ClaimedRun } | { readonly outcome: Reply<RunFacts> }>> {
  const { store, limits } = call
  const { session, plan } = planned
  const { owner, record, now } = session
  const name = unplannedName(plan.digest)
  const { digest, catalogs } = plan
  const { revision } = record
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const entry = await store.read(owner, 'plan', name)
    if (!entry) {
      const overfull = await overCapacity(call, owner)
      if (overfull) return failed([overfull])
      const run = call.newId()
      const state = 'running'
      const stored = { digest, catalogs, revision, effects, state, run, runsUntil: now + LEASE_MS } as const
      const most = limits.plansPerSession
      if (
        await store.claim({
          owner,
          kind: 'plan',
          name,
          body: toKept(stored),
          lifeMs: limits.effectLifeMs,
          most,
        })
      )
        return ok({ claimed: { name, version: 1, stored, keptMs } })
      if (await store.read(owner, 'plan', name)) continue
      return failed([engineProblem('plans_full', { most })])
    }
    const started = await startedRun(call, planned, entry, SAME_CALL_MS)
    if (started.kind === 'ended') return ok({ outcome: repeated(started.reply) })
    if (started.kind === 'running')
      return failed([engineProblem('run_running', { seconds: started.seconds })])
  }
  return failed([engineProblem('session_busy', {})])
}

/** A run that sent no change may be repeated at once. */
function keptMs(reply: Reply<RunFacts>): number {
  const wasSent = reply.facts?.effects.some(({ state }) => state !== 'not_sent')
  return wasSent ? SAME_CALL_MS : 0
}

/** The recorded answer, with the note that it is of an earlier call. */
function repeated(reply: Reply<RunFacts>): Reply<RunFacts> {
  const { facts } = reply
  if (!facts || facts.problems.some(({ code }) => code === 'run_cut_off')) return reply
  const isUnknown = facts.effects.some(({ state }) => state === 'unknown')
  return withProblem(reply, engineProblem('run_repeated', { isUnknown }))
}
