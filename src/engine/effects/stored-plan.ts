import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { Plan } from '../../language/plan/plan.ts'
import type { Confirmation, Reply, RunFacts } from '../contract.ts'
import { fromKept, toKept } from '../session/kept.ts'
import { LEASE_MS } from './lease.ts'
import { earlierRun, noteLatest } from './earlier-run.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import type { LiveSession, SessionPlan } from '../session/live-session.ts'
import { type ClaimedRun, startedRun } from './started-run.ts'
import type { EarlierRun, StoredRun } from './stored-run.ts'
import { belongsTo } from '../session/entries.ts'
import { mayUseAll } from '../session/uses.ts'

/**
 * Claims a reviewed plan for one run, so that its effects happen at most once. A spent plan gives its recorded outcome, or
 * what the ledger knows if its run was cut off. A plan of another program or other catalogs, or one that runs, is refused.
 *
 * @param missing what a person has to agree to before the plan runs, if so
 */
export async function claimPlan(
  call: EngineCall,
  planned: SessionPlan,
  planRef: string,
  missing: (stored: StoredRun) => Confirmation | undefined,
): Promise<
  Result<
    | { readonly claimed: ClaimedRun }
    | { readonly outcome: Reply<RunFacts> }
    | { readonly confirm: Confirmation }
  >
> {
  const { store, limits, caller } = call
  const { session, plan } = planned
  const { owner } = session
  const refuse = (problem: Problem) => failed([{ ...problem, path: 'plan' }])
  const name = /^pc([1-9]\d{0,14})$/.exec(planRef.trim())?.[1]
  const entry = name === undefined ? null : await store.read(owner, 'plan', name)
  const stored = entry ? fromKept<StoredRun>(entry) : undefined
  const isThere = stored !== undefined && belongsTo(session, stored)
  if (!entry || !isThere || name === undefined || !mayUseAll(caller, stored.uses ?? []))
    return refuse(engineProblem('unknown_plan', { plan: planRef.slice(0, 40) }))
  const wrong = whyNot(stored, planRef, plan)
  if (wrong) return refuse(wrong)
  if (stored.state !== 'open') {
    const started = await startedRun(call, planned, entry, limits.effectLifeMs)
    if (started.kind === 'ended') return ok({ outcome: started.reply })
    if (started.kind === 'changed') return claimPlan(call, planned, planRef, missing)
    return refuse(engineProblem('plan_running', { plan: planRef, seconds: started.seconds }))
  }
  if (entry.lost && stored.effects.length > 0)
    return refuse(engineProblem('plan_uncertain', { plan: planRef }))
  const unnamed = await unnamedRun(call, session, stored)
  if (unnamed) return refuse(engineProblem('plan_hides_run', { plan: planRef, run: unnamed }))
  const confirm = missing(stored)
  if (confirm) return ok({ confirm })
  const next = { ...stored, state: 'running', run: `pc${name}`, runsUntil: session.now + LEASE_MS } as const
  const lifeMs = limits.effectLifeMs
  const { version } = entry
  const isMine = await store.replace({ owner, kind: 'plan', name, version, body: toKept(next), lifeMs })
  // If another call was first, its outcome is the answer.
  if (!isMine) return claimPlan(call, planned, planRef, missing)
  if (isWhole(stored)) await noteLatest(call, owner, { digest: stored.digest, plan: name })
  return ok({ claimed: { name, version: version + 1, stored: next, keptMs: () => lifeMs } })
}

/** Does the plan run every change of its program? */
function isWhole({ effects, rest }: StoredRun): boolean {
  return effects.length > 0 && rest === undefined
}

/** An earlier run of the same program whose outcome is not known, and which the review of this plan did not name. */
async function unnamedRun(
  call: EngineCall,
  session: LiveSession,
  stored: StoredRun,
): Promise<EarlierRun | undefined> {
  const earlier = isWhole(stored) ? await earlierRun(call, session, stored.digest) : undefined
  return earlier && (!stored.earlier || stored.earlier.plan !== earlier.plan) ? earlier : undefined
}

function whyNot(stored: StoredRun, planRef: string, plan: Plan): Problem | undefined {
  const changed = plan.catalogs.filter(({ catalog, digest }) =>
    stored.catalogs.some((then) => then.catalog === catalog && then.digest !== digest),
  )
  if (changed.length > 0) {
    const catalogs = changed.map(({ catalog }) => catalog)
    return engineProblem('plan_outdated', { plan: planRef, catalogs })
  }
  return stored.digest === plan.digest ? undefined : engineProblem('plan_differs', { plan: planRef })
}
