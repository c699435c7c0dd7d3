import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Reply, RunFacts } from '../contract.ts'
import type { EffectBound } from './effects.ts'
import { toKept } from '../session/kept.ts'
import { LEASE_MS } from './lease.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { noRoom } from '../session/entries.ts'
import { resultsText } from '../reply/results.ts'
import type { LiveSession } from '../session/live-session.ts'
import { type ClaimedRun, startedRun } from './started-run.ts'

/** How long the same program is taken for the same call, delivered twice, after its run ended. */
const SAME_CALL_MS = 60_000

/** How often a call looks again at what others do with the same program at the same time. */
const ATTEMPTS = 10

/**
 * Claims a run of a program that changes data and needs no plan (law 9). Nothing names such a run but what it does: the same
 * program of the same principal in the same session gives what came of it for a minute, and is refused while it runs. A
 * run that was cut off is told of to the next who sends the program, for as long as its ledger is kept.
 */
export async function claimUnplanned(
  parts: Parts,
  session: LiveSession,
  plan: Plan,
  effects: readonly EffectBound[],
): Promise<Result<{ readonly claimed: ClaimedRun } | { readonly outcome: Reply<RunFacts> }>> {
  const { store, limits } = parts
  const { owner, record, now } = session
  const name = `=${plan.digest}`
  const { digest, catalogs } = plan
  const { revision } = record
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const entry = await store.read(owner, 'plan', name)
    if (!entry) {
      const noBytes = await noRoom(parts, owner)
      if (noBytes) return failed([noBytes])
      const run = parts.newId()
      const state = 'running'
      const stored = { digest, catalogs, revision, effects, state, run, runsUntil: now + LEASE_MS } as const
      const most = limits.plansPerSession
      if (await store.claim(owner, 'plan', name, toKept(stored), limits.effectLifeMs, most))
        return ok({ claimed: { name, version: 1, stored, keptMs } })
      if (await store.read(owner, 'plan', name)) continue
      return failed([engineProblem('plans_full', { most })])
    }
    const started = await startedRun(parts, session, plan, entry, SAME_CALL_MS)
    if (started.kind === 'ended') return ok({ outcome: repeated(started.reply) })
    if (started.kind === 'running')
      return failed([engineProblem('run_running', { seconds: started.seconds })])
  }
  return failed([engineProblem('session_busy', {})])
}

/** Where nothing was sent that must not be sent twice, the same program may run again at once. */
function keptMs(reply: Reply<RunFacts>): number {
  const wasSent = reply.facts?.effects.some(({ state }) => state !== 'not_sent')
  return wasSent ? SAME_CALL_MS : 0
}

/** The same answer, and word that it is not of this call. */
function repeated(reply: Reply<RunFacts>): Reply<RunFacts> {
  const { facts } = reply
  if (!facts || facts.problems.some(({ code }) => code === 'run_cut_off')) return reply
  const problem = engineProblem('run_repeated', {})
  const text = `${reply.text}\n${resultsText([], [], [], [problem])}`
  const problems = [...facts.problems, problem]
  const told = { text, facts: { ...facts, problems } }
  return reply.ok ? { ...reply, ...told } : { ...reply, ...told, problems }
}
