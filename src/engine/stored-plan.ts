import type { Caller } from '../access/caller.ts'
import { failed, ok, type Problem, type Result } from '../base/diagnostic.ts'
import type { Entry } from '../execution/store.ts'
import type { Plan } from '../language/plan/plan.ts'
import type { Confirmation, Reply, RunFacts } from './contract.ts'
import { cutOffReply } from './cut-off.ts'
import type { EffectBound } from './effects.ts'
import type { Parts } from './parts.ts'
import { engineProblem } from './problems.ts'
import type { LiveSession } from './session-program.ts'
import { mayUseAll, type Uses, type UsesList } from './uses.ts'
import { fromKept, toKept } from './kept.ts'

/** A reviewed plan as it is kept: what it was made from, what it may change, and what became of it. */
export interface StoredPlan {
  readonly digest: string
  readonly catalogs: Plan['catalogs']
  readonly revision: number
  readonly effects: readonly EffectBound[]
  /** `cut_off`: the run that spent it ended without an answer; what became of it is what the ledger knows. */
  readonly state: 'open' | 'running' | 'cut_off' | 'done'
  /** By when a run that still lives has ended, in milliseconds on the store's clock. */
  readonly runsUntil?: number
  /** The store may have forgotten lines of that run's ledger. */
  readonly lost?: true
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

/** What a run may take beyond its budget: for a step that was under way, and for the store. */
const RUN_MARGIN_MS = 30_000

/** What the ledger calls the run of a plan. */
export function runOf(plan: string): string {
  return `pc${plan}`
}

/**
 * Claims a reviewed plan for one run (law 9): a spent one gives its recorded outcome instead, or what the ledger knows
 * where its run was cut off; one that was made from another program or other catalogs, or that somebody runs, is refused.
 *
 * @param missing what a person has to agree to before the plan runs, if so
 */
export async function claimPlan(
  parts: Parts,
  caller: Caller,
  session: LiveSession,
  planRef: string,
  plan: Plan,
  missing: (stored: StoredPlan) => Confirmation | undefined,
): Promise<
  Result<
    | { readonly claimed: ClaimedPlan }
    | { readonly outcome: Reply<RunFacts> }
    | { readonly confirm: Confirmation }
  >
> {
  const { store, limits } = parts
  const { owner } = session
  const name = /^pc([1-9]\d{0,14})$/.exec(planRef.trim())?.[1]
  const entry = name === undefined ? null : await store.read(owner, 'plan', name)
  const stored = entry ? fromKept<StoredPlan>(entry) : undefined
  if (!entry || !stored || name === undefined || !mayUseAll(caller, stored.uses ?? []))
    return failed([engineProblem('unknown_plan', { plan: planRef.slice(0, 40) }, { path: 'plan' })])
  const refused = whyNot(stored, planRef, plan)
  if (refused) return failed([refused])
  if (stored.outcome) return ok({ outcome: stored.outcome })
  if (stored.state === 'cut_off')
    return ok({ outcome: await cutOffReply(parts, session, plan, name, stored) })
  const next = nextState(stored, entry, session.now, parts.budget.milliseconds)
  if (!next) return failed([notNow(stored, session.now, planRef)])
  const confirm = next.state === 'running' ? missing(stored) : undefined
  if (confirm) return ok({ confirm })
  const replaced = await store.replace(owner, 'plan', name, entry.version, toKept(next), limits.effectLifeMs)
  if (replaced && next.state === 'running')
    return ok({ claimed: { name, version: entry.version + 1, plan: next } })
  // What this call or somebody else made of it is the answer.
  return claimPlan(parts, caller, session, planRef, plan, missing)
}

/** What this call makes of the plan; nothing where it has to leave it alone. */
function nextState(stored: StoredPlan, entry: Entry, now: number, budgetMs: number): StoredPlan | undefined {
  if (stored.state === 'open')
    return entry.lost && stored.effects.length > 0
      ? undefined
      : { ...stored, state: 'running', runsUntil: now + budgetMs + RUN_MARGIN_MS }
  if (now < (stored.runsUntil ?? 0)) return undefined
  return { ...stored, state: 'cut_off', ...(entry.lost ? { lost: true } : {}) }
}

function notNow(stored: StoredPlan, now: number, plan: string): Problem {
  if (stored.state === 'open') return engineProblem('plan_uncertain', { plan }, { path: 'plan' })
  const seconds = Math.ceil(((stored.runsUntil ?? now) - now) / 1000)
  return engineProblem('plan_running', { plan, seconds }, { path: 'plan' })
}

/** Is the plan still held by the run that claimed it, and not declared cut off? */
export async function isStillMine(
  { store }: Parts,
  { owner }: LiveSession,
  { name, version }: ClaimedPlan,
): Promise<boolean> {
  return (await store.read(owner, 'plan', name))?.version === version
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
  await store.replace(owner, 'plan', claimed.name, claimed.version, toKept(body), limits.effectLifeMs)
}
