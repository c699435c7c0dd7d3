import { shownText, type TurnContext } from './turn-context.ts'

const ALLOW = 'allow'

const OPTIONS = [
  { optionId: ALLOW, name: 'Run this plan once', kind: 'allow_once' as const },
  { optionId: 'reject', name: 'Do not run it', kind: 'reject_once' as const },
]

/** What is to be agreed to: the plan as a person reads it. */
export interface Question {
  readonly toolCallId: string
  readonly title: string
  readonly review: string
  readonly rawInput: object
}

/** Did a person agree to exactly this plan? An unknown answer, and a client that cannot ask, count as no. */
export async function isAgreed(
  { ask, signal }: Pick<TurnContext, 'ask' | 'signal'>,
  { toolCallId, title, review, rawInput }: Question,
): Promise<boolean> {
  if (signal.aborted) return false
  const content = shownText(review)
  const toolCall = {
    toolCallId,
    title,
    kind: 'execute' as const,
    status: 'pending' as const,
    content,
    rawInput,
  }
  try {
    const { outcome } = await ask({ toolCall, options: OPTIONS })
    return !signal.aborted && outcome.outcome === 'selected' && outcome.optionId === ALLOW
  } catch {
    return false
  }
}
