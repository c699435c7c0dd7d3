import type { Caller } from '../access/caller.ts'
import type { Json } from '../base/canonical.ts'
import { failed, ok, type Result } from '../base/diagnostic.ts'
import type { Plan } from '../language/plan/plan.ts'
import type { Reply, RunFacts } from './contract.ts'
import type { EffectBound } from './effects.ts'
import type { Parts } from './parts.ts'
import { engineProblem } from './problems.ts'
import type { LiveSession } from './session-program.ts'
import { mayUseAll, type Uses, type UsesList } from './uses.ts'

/** A reviewed plan as it is kept: what it was made from, what it may change, and what became of it. */
export interface StoredPlan {
  readonly digest: string
  readonly catalogs: Plan['catalogs']
  readonly revision: number
  readonly effects: readonly EffectBound[]
  readonly state: 'open' | 'running' | 'done'
  /** The answer of the run that spent it. */
  readonly outcome?: Reply<RunFacts>
  /** What that run used: who may no longer use it is not shown what came of it. */
  readonly uses?: UsesList
}

/** A plan that this run, and no other, may carry out. */
export interface ClaimedPlan {
  readonly name: string
  readonly version: number
  readonly plan: StoredPlan
}

/**
 * Claims a reviewed plan for one run (law 9): a spent one gives its recorded outcome instead; one that was made from
 * another program or other catalogs, or that somebody runs, is refused.
 */
export async function claimPlan(
  parts: Parts,
  caller: Caller,
  session: LiveSession,
  planRef: string,
  plan: Plan,
): Promise<Result<{ readonly claimed: ClaimedPlan } | { readonly outcome: Reply<RunFacts> }>> {
  const { store, limits } = parts
  const { owner } = session
  const name = /^pc([1-9]\d{0,14})$/.exec(planRef.trim())?.[1]
  const entry = name === undefined ? null : await store.read(owner, 'plan', name)
  const stored = entry?.body as unknown as StoredPlan | undefined
  if (!entry || !stored || name === undefined || !mayUseAll(caller, stored.uses ?? []))
    return failed([engineProblem('unknown_plan', { plan: planRef.slice(0, 40) }, { path: 'plan' })])
  const refused = whyNot(stored, planRef, plan)
  if (refused) return failed([refused])
  if (stored.outcome) return ok({ outcome: stored.outcome })
  if (stored.state !== 'open')
    return failed([engineProblem('plan_running', { plan: planRef }, { path: 'plan' })])
  const running: StoredPlan = { ...stored, state: 'running' }
  const mine = await store.replace(
    owner,
    'plan',
    name,
    entry.version,
    running as unknown as Json,
    limits.effectLifeMs,
  )
  // Somebody else was first: what they made of it is the answer.
  if (!mine) return claimPlan(parts, caller, session, planRef, plan)
  return ok({ claimed: { name, version: entry.version + 1, plan: running } })
}

function whyNot(stored: StoredPlan, planRef: string, plan: Plan) {
  const changed = plan.catalogs.filter(({ catalog, digest }) =>
    stored.catalogs.some((then) => then.catalog === catalog && then.digest !== digest),
  )
  if (changed.length > 0) {
    return engineProblem(
      'plan_outdated',
      { plan: planRef, catalogs: changed.map(({ catalog }) => catalog) },
      { path: 'plan' },
    )
  }
  return stored.digest === plan.digest
    ? undefined
    : engineProblem('plan_differs', { plan: planRef }, { path: 'plan' })
}

/** Keeps the answer of the run that spent the plan. */
export async function recordOutcome(
  { store, limits }: Parts,
  { owner }: LiveSession,
  claimed: ClaimedPlan,
  outcome: Reply<RunFacts>,
  uses: Uses,
): Promise<void> {
  const body: StoredPlan = { ...claimed.plan, state: 'done', outcome, uses: uses.list() }
  await store.replace(
    owner,
    'plan',
    claimed.name,
    claimed.version,
    body as unknown as Json,
    limits.effectLifeMs,
  )
}
