import type { Caller } from '../../access/caller.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { execute } from '../../execution/executor.ts'
import type { Plan } from '../../language/plan/plan.ts'
import { argumentProblems } from '../arguments.ts'
import { refuse } from '../reply/answer.ts'
import { missingConfirmation } from '../effects/confirm.ts'
import { type Confirmation, type Reply, type RunFacts, runInput, type RunOptions } from '../contract.ts'
import { effectPolicyOf } from '../effects/effect-policy.ts'
import { type EffectBound, effectsOf } from '../effects/effects.ts'
import { holdLease } from '../effects/lease.ts'
import type { Models } from '../session/models.ts'
import { PageHandles } from './page-handles.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import { publish } from './publish.ts'
import { type LiveSession, liveSession, planIn } from '../session/live-session.ts'
import { touch } from '../session/touch.ts'
import { type ClaimedRun, isStillMine, recordOutcome } from '../effects/started-run.ts'
import type { StoredRun } from '../effects/stored-run.ts'
import { claimPlan } from '../effects/stored-plan.ts'
import { claimUnplanned } from '../effects/unplanned.ts'
import { Uses } from '../session/uses.ts'
import { worldOf } from './world.ts'

/**
 * `plasm_run`: checks the whole program, and only then calls anything. A program that changes data runs from a reviewed
 * plan, once: the same plan again gives the recorded outcome. Where none is needed, the same program does so for a minute.
 */
export async function run(
  parts: Parts,
  models: Models,
  caller: Caller,
  input: unknown,
  options: RunOptions,
): Promise<Reply<RunFacts>> {
  const parsed = runInput.safeParse(input)
  if (!parsed.success) return refuse(argumentProblems(parsed.error))
  const session = await liveSession(parts, models, caller, parsed.data.logical_session_ref)
  if (!session.ok) return refuse(session.problems)
  const planned = planIn(session.value, caller, parsed.data.program)
  if (!planned.ok) return planned

  const admitted = await admit(
    parts,
    caller,
    session.value,
    planned.plan,
    parsed.data.plan,
    options.confirmed,
  )
  if (!admitted.ok) return refuse(admitted.problems)
  if ('confirm' in admitted.value)
    return { ...refuse([admitted.value.problem]), confirm: admitted.value.confirm }
  if ('outcome' in admitted.value) return admitted.value.outcome

  await touch(parts, session.value.record, session.value.now)
  const { claimed, effects } = admitted.value
  const ledgerRun = claimed
    ? { name: claimed.stored.run, goesOn: () => isStillMine(parts, session.value, claimed) }
    : { name: parts.newId(), goesOn: async () => true }
  const uses = new Uses()
  const carryOut = async () => {
    const pages = new PageHandles(parts, session.value)
    const world = worldOf(parts, caller, session.value, effects, ledgerRun, uses, pages, options.signal)
    const outcome = await execute(planned.plan, world)
    return publish(parts, session.value, planned.plan, outcome, uses, pages)
  }
  return claimed ? recorded(parts, session.value, claimed, uses, carryOut) : carryOut()
}

/** Carries out a claimed run under its lease, and keeps its answer for whoever sends the same call again. */
async function recorded(
  parts: Parts,
  session: LiveSession,
  claimed: ClaimedRun,
  uses: Uses,
  carryOut: () => Promise<Reply<RunFacts>>,
): Promise<Reply<RunFacts>> {
  const release = holdLease(parts, session.owner, claimed.stored.run)
  try {
    const reply = await carryOut()
    await recordOutcome(parts, session, claimed, reply, uses)
    return reply
  } finally {
    release()
  }
}

type Admission =
  | { readonly outcome: Reply<RunFacts> }
  | { readonly confirm: Confirmation; readonly problem: Problem }
  | { readonly effects: readonly EffectBound[]; readonly claimed?: ClaimedRun }

/** May this plan run now? Reads always; changes as the operator's policy and the reviewed plan say. */
async function admit(
  parts: Parts,
  caller: Caller,
  session: LiveSession,
  plan: Plan,
  planRef: string | undefined,
  code: RunOptions['confirmed'],
): Promise<Result<Admission>> {
  const effects = effectsOf(plan, parts.budget)
  const policies = effects.map((effect) => effectPolicyOf(parts, caller, effect))
  const denied = effects.filter((_, at) => policies[at] === 'deny')
  if (denied.length > 0)
    return failed(denied.map(({ capability }) => engineProblem('effect_denied', { capability })))
  if (planRef !== undefined) {
    const asked = effects.filter((_, at) => policies[at] === 'confirm')
    const missing = (stored: StoredRun) =>
      asked.length === 0
        ? undefined
        : missingConfirmation(parts, session, plan, planRef.trim(), stored.effects, code)
    const claim = await claimPlan(parts, caller, session, planRef, plan, missing)
    if (!claim.ok) return claim
    if ('confirm' in claim.value) {
      const params = { effects: asked.map(nameOf), plan: planRef }
      return ok({ ...claim.value, problem: engineProblem('not_confirmed', params, { path: 'plan' }) })
    }
    return ok(
      'outcome' in claim.value
        ? claim.value
        : { effects: claim.value.claimed.stored.effects, claimed: claim.value.claimed },
    )
  }
  // Data that crosses from one API into another is reviewed even where each of them allows its writes.
  const reviewed = effects.filter((_, at) => plan.flows.length > 0 || policies[at] !== 'allow')
  if (reviewed.length > 0)
    return failed([engineProblem('plan_required', { effects: reviewed.map(nameOf) }, { path: 'plan' })])
  if (effects.length === 0) return ok({ effects })
  const claim = await claimUnplanned(parts, session, plan, effects)
  if (!claim.ok) return claim
  return ok('outcome' in claim.value ? claim.value : { effects, claimed: claim.value.claimed })
}

function nameOf({ catalog, capability }: EffectBound): string {
  return `${catalog}:${capability}`
}
