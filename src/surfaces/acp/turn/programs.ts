import type { PlanFacts, Reply, RunFacts } from '../../../engine/index.ts'
import { apiCalls } from './api-calls.ts'
import { refForProgram } from './logical-session.ts'
import { isAgreed } from './permission.ts'
import { fencedText, freshId, shownText, tell, type TurnContext } from './turn-context.ts'

/** The longest title of a tool call. */
const TITLE = 80

/** Checks a program and shows its plan; calls nothing. */
export async function planProgram(turn: TurnContext, program: string): Promise<void> {
  const ref = await refForProgram(turn)
  if (ref === undefined) return
  const reply = await turn.gateway.plan(turn.caller, { logical_session_ref: ref, program }, turn.options)
  tell(turn, reply.ok ? reply.text : fencedText(reply.text))
}

/** A program that is about to run. */
interface Started {
  readonly turn: TurnContext
  readonly ref: string
  readonly program: string
  readonly toolCallId: string
  readonly title: string
}

/** Plans a program and runs it: one whose plan is to be reviewed as the mode of the session says. */
export async function runProgram(turn: TurnContext, program: string): Promise<void> {
  if (turn.head.mode === 'plan') return planProgram(turn, program)
  const ref = await refForProgram(turn)
  if (ref === undefined) return
  const toolCallId = freshId('call')
  const started = { turn, ref, program, toolCallId, title: titleOf(program) }
  turn.speaker.say({
    sessionUpdate: 'tool_call',
    toolCallId,
    title: started.title,
    name: 'plasm_run',
    kind: 'execute',
    status: 'pending',
    rawInput: { logical_session_ref: ref, program },
  })
  const plan = await turn.gateway.plan(turn.caller, { logical_session_ref: ref, program }, turn.options)
  if (!plan.ok) return ended(started, plan)
  if (!plan.facts.needsReview) return ended(started, await run(started, {}))
  turn.speaker.say({ sessionUpdate: 'tool_call_update', toolCallId, content: shownText(reviewIn(plan.text)) })
  if (turn.head.mode === 'review' && !(await isAgreedTo(started, reviewIn(plan.text))))
    return declined(started)
  await runPlan(started, plan)
}

/** Runs a reviewed plan. Where the operator demands a person's word that was not given yet, it is asked for. */
async function runPlan(
  started: Started,
  plan: Extract<Reply<PlanFacts>, { readonly ok: true }>,
): Promise<void> {
  const { planRef } = plan.facts
  const reply = await run(started, { plan: planRef })
  if (reply.ok || !reply.confirm) return ended(started, reply)
  const { review, code } = reply.confirm
  const isShown = started.turn.head.mode === 'review' && plan.text.includes(review)
  if (!isShown && !(await isAgreedTo(started, fencedText(review)))) return declined(started)
  return ended(started, await run(started, { plan: planRef, confirmed: code }))
}

/** The plan itself, without the hint at the next call, which is for models. */
function reviewIn(text: string): string {
  return text.slice(0, text.lastIndexOf('```') + 3)
}

function isAgreedTo({ turn, toolCallId, title, ref, program }: Started, review: string): Promise<boolean> {
  return isAgreed(turn, { toolCallId, title, review, rawInput: { logical_session_ref: ref, program } })
}

function run(
  { turn, ref, program, toolCallId }: Started,
  { plan, confirmed }: { readonly plan?: string | undefined; readonly confirmed?: string },
): Promise<Reply<RunFacts>> {
  const { gateway, caller, options, speaker, signal } = turn
  speaker.say({ sessionUpdate: 'tool_call_update', toolCallId, status: 'in_progress' })
  return gateway.run(
    caller,
    { logical_session_ref: ref, program, plan },
    {
      ...options,
      signal,
      progress: apiCalls(turn, toolCallId),
      ...(confirmed !== undefined && { confirmed }),
    },
  )
}

/** Shows how it ended. A failed program is a failed tool call, and no error of the protocol. */
function ended({ turn, toolCallId }: Started, reply: Reply<PlanFacts | RunFacts>): void {
  const rawOutput = reply.ok
    ? { ok: true, ...reply.meta }
    : { ok: false, problems: reply.problems.map(({ code }) => code) }
  turn.speaker.say({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: reply.ok ? 'completed' : 'failed',
    rawOutput,
  })
  tell(turn, reply.ok || isResult(reply) ? reply.text : fencedText(reply.text))
}

/** A run that failed has a text in Markdown; problems of a program keep their columns in a fence. */
function isResult(reply: Extract<Reply<unknown>, { readonly ok: false }>): boolean {
  return reply.facts !== undefined
}

function declined({ turn, toolCallId }: Started): void {
  turn.speaker.say({
    sessionUpdate: 'tool_call_update',
    toolCallId,
    status: 'failed',
    rawOutput: { ok: false, problems: ['not_confirmed'] },
  })
  tell(turn, '_Not run: no person agreed to this plan. Nothing was sent._')
}

/** The first line of the program. */
function titleOf(program: string): string {
  const [first = ''] = program.trim().split('\n', 1)
  return first.length > TITLE ? `${first.slice(0, TITLE - 1).toWellFormed()}…` : first
}
