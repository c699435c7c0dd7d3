import { mayUse } from '../../access/caller.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { execute } from '../../execution/executor.ts'
import { readArguments } from '../arguments.ts'
import { refuse } from '../reply/answer.ts'
import { missingConfirmation } from '../effects/confirm.ts'
import { offerRest } from '../effects/rest.ts'
import { type Confirmation, type Reply, type RunFacts, runInput, type RunOptions } from '../contract.ts'
import { mustReviewReads } from '../effects/read-flow-policy.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import { deniedProblems } from '../effects/denied.ts'
import { changeName, type EffectBound, effectsOf } from '../effects/effects.ts'
import { holdLease } from '../effects/lease.ts'
import { checkedPlan } from './checked-plan.ts'
import { PageHandles } from './page-handles.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { publish } from './publish.ts'
import { type LiveSession, liveSession, type SessionPlan } from '../session/live-session.ts'
import { touch } from '../session/touch.ts'
import { type ClaimedRun, isStillMine, recordOutcome } from '../effects/started-run.ts'
import { linesOf, type StoredRun } from '../effects/stored-run.ts'
import { claimPlan } from '../effects/stored-plan.ts'
import { claimUnplanned } from '../effects/unplanned.ts'
import { Uses } from '../session/uses.ts'
import { worldOf } from './world.ts'

/**
 * `plasm_run`: checks the whole program, and only then calls an API. A program that changes data runs from a reviewed plan,
 * once: the same plan again gives the recorded outcome. Without a plan the same program gives it for a minute.
 */
export async function run(call: EngineCall, input: unknown, options: RunOptions): Promise<Reply<RunFacts>> {
  const parsed = readArguments(runInput, input)
  if (!parsed.ok) return refuse(parsed.problems)
  const { logical_session_ref: ref, program, plan: planRef } = parsed.value
  const live = await liveSession(call, ref)
  if (!live.ok) return refuse(live.problems)
  const session = live.value
  const pages = new PageHandles(call, session)
  const checked = await checkedPlan(call, session, program, pages)
  if (!checked.ok) return checked
  const planned: SessionPlan = { session, plan: checked.plan }

  const admitted = await admitPlan(call, planned, planRef, options.confirmed)
  if (!admitted.ok) return refuse(admitted.problems)
  const admission = admitted.value
  if ('confirm' in admission) {
    const refused = refuse([admission.problem])
    return mayUse(call.caller, 'confirm') ? { ...refused, confirm: admission.confirm } : refused
  }
  if ('outcome' in admission) return admission.outcome

  await touch(call, session.record, session.now)
  const { claimed, effects } = admission
  const ledgerRun = claimed
    ? { ...linesOf(claimed.stored), isActive: () => isStillMine(call, session, claimed) }
    : { name: call.newId(), isActive: async () => true }
  const toRun = claimed?.stored.rest ?? planned.plan
  const uses = new Uses()
  const carryOut = async () => {
    const world = worldOf(call, session, { effects, ledgerRun, uses, pages, signal: options.signal })
    const outcome = await execute(toRun, world)
    const left = { ran: toRun, run: ledgerRun, unsent: outcome.unsent, uses: uses.list() }
    // The store failed: what the loops did reaches the caller all the same.
    const rest = await offerRest(call, planned, left).catch(() => [engineProblem('rest_not_planned', {})])
    const problems = [...outcome.problems, ...rest]
    return publish(call, { session, plan: toRun }, { ...outcome, problems }, { uses, pages })
  }
  return claimed ? recorded(call, session, claimed, { uses, carryOut }) : carryOut()
}

/** Carries out a claimed run under its lease, and keeps its answer for later calls with the same plan or program. */
async function recorded(
  call: EngineCall,
  session: LiveSession,
  claimed: ClaimedRun,
  { uses, carryOut }: { readonly uses: Uses; readonly carryOut: () => Promise<Reply<RunFacts>> },
): Promise<Reply<RunFacts>> {
  const release = holdLease(call, session.owner, claimed.stored.run)
  try {
    return await recordOutcome(call, session, claimed, { reply: await carryOut(), uses })
  } finally {
    release()
  }
}

type Admission =
  | { readonly outcome: Reply<RunFacts> }
  | { readonly confirm: Confirmation; readonly problem: Problem }
  | { readonly effects: readonly EffectBound[]; readonly claimed?: ClaimedRun }

/** May this plan run now? Reads always may; changes as the operator's policy and the reviewed plan say. */
async function admitPlan(
  call: EngineCall,
  planned: SessionPlan,
  planRef: string | undefined,
  code: RunOptions['confirmed'],
): Promise<Result<Admission>> {
  const { plan, session } = planned
  const nameOf = (effect: EffectBound) => changeName(effect, plan, session.derived.model)
  const effects = effectsOf(plan, call.budget)
  const policies = effects.map((effect) => effectPolicyOf(call, effect))
  const denied = deniedProblems(call, planned, effects)
  if (denied.length > 0) return failed(denied)
  if (planRef !== undefined) {
    const asked = effects.filter((_, at) => policies[at] === 'confirm')
    const missing = (stored: StoredRun) => {
      const agreed = { planRef: planRef.trim(), effects: stored.effects, earlier: stored.earlier }
      const shown = { session, plan: stored.rest ?? plan }
      const proof = mayUse(call.caller, 'confirm') ? code : undefined
      return asked.length === 0 ? undefined : missingConfirmation(call, shown, agreed, proof)
    }
    const claim = await claimPlan(call, planned, planRef, missing)
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
  const readFlows = mustReviewReads(call, plan)
  if (readFlows.length > 0)
    return failed(
      readFlows.map(({ from, to }) => engineProblem('flow_review_required', { from, to }, { path: 'plan' })),
    )
  if (effects.length === 0) return ok({ effects })
  const claim = await claimUnplanned(call, planned, effects)
  if (!claim.ok) return claim
  return ok('outcome' in claim.value ? claim.value : { effects, claimed: claim.value.claimed })
}
