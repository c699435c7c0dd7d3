import { durationText } from '../../base/text/duration.ts'
import { readArguments } from '../arguments.ts'
import { refuse } from '../reply/answer.ts'
import { planInput, type PlanFacts, type Reply } from '../contract.ts'
import { mustReviewReads } from '../effects/read-flow-policy.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import { deniedProblems } from '../effects/denied.ts'
import { earlierRun } from '../effects/earlier-run.ts'
import { effectsOf } from '../effects/effects.ts'
import { keepPlan } from '../effects/keep-plan.ts'
import type { EngineCall } from '../call.ts'
import { reviewText } from '../effects/review.ts'
import { PageHandles } from './page-handles.ts'
import { liveSession } from '../session/live-session.ts'
import { checkedPlan } from './checked-plan.ts'
import { touch } from '../session/touch.ts'

/** `plasm`: checks a program and shows its plan, without an API call. The plan's ref is good for one run. */
export async function plan(call: EngineCall, input: unknown): Promise<Reply<PlanFacts>> {
  const parsed = readArguments(planInput, input)
  if (!parsed.ok) return refuse(parsed.problems)
  const session = await liveSession(call, parsed.value.logical_session_ref)
  if (!session.ok) return refuse(session.problems)
  const { program } = parsed.value
  const planned = await checkedPlan(call, session.value, program, new PageHandles(call, session.value))
  if (!planned.ok) return planned

  const effects = effectsOf(planned.plan, call.budget)
  const denied = deniedProblems(call, { session: session.value, plan: planned.plan }, effects)
  if (denied.length > 0) return refuse(denied)

  const { record, shownRef, now } = session.value
  const { digest, catalogs } = planned.plan
  const earlier = effects.length === 0 ? undefined : await earlierRun(call, session.value, digest)
  const kept = await keepPlan(call, session.value, {
    digest,
    catalogs,
    effects,
    ...(earlier && { earlier }),
  })
  if (!kept.ok) return refuse(kept.problems)
  const planRef = kept.value
  await touch(call, record, now)

  const isAsked = effects.some((effect) => effectPolicyOf(call, effect) === 'confirm')
  const asked = isAsked ? ' A person has to agree first.' : ''
  const reviewsReads = mustReviewReads(call, planned.plan).length > 0
  const needsReview = effects.length > 0 || reviewsReads
  const run = `_Run it: \`plasm_run\` with this program and \`plan\`: \`${planRef}\`, within ${durationText(call.limits.planLifeMs)}.${asked}_\n`
  return {
    ok: true,
    text: `\`\`\`text\n${reviewText(planned.plan, { effects, reviewsReads, earlier }, planRef, session.value.derived.model)}\n\`\`\`\n${needsReview ? run : ''}`,
    meta: { logical_session_ref: shownRef, dry_run: true, plan: planRef },
    facts: { planRef, needsReview, plan: planned.plan },
  }
}
