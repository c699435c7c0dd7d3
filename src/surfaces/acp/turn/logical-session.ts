import type { SessionFacts } from '../../../engine/index.ts'
import { fencedText, tell, type TurnContext } from './turn-context.ts'

/** The logical session of the conversation, live or not; undefined before the first entity was picked. */
export async function logicalSession({
  gateway,
  caller,
  head: { intent },
}: Pick<TurnContext, 'gateway' | 'caller' | 'head'>): Promise<SessionFacts | undefined> {
  const found = await gateway.session(caller, { intent })
  return found.ok ? found.facts : undefined
}

/**
 * Opens or extends the logical session and shows what it teaches: the rows count as delivered once they were written.
 * Gives its ref; undefined if it was refused, which is shown.
 */
export async function pick(turn: TurnContext, input: object): Promise<string | undefined> {
  const { gateway, caller, head, options, speaker } = turn
  const reply = await gateway.context(caller, { intent: head.intent, ...input }, options)
  tell(turn, reply.ok ? reply.text : fencedText(reply.text))
  if (!reply.ok) return undefined
  await speaker.flushed()
  await reply.markDelivered?.()
  return reply.facts.logicalSessionRef
}

/** The ref for a program. A session that was idle too long continues here, with its notice. */
export async function refForProgram(turn: TurnContext): Promise<string | undefined> {
  const session = await logicalSession(turn)
  if (session?.alive) return session.logicalSessionRef
  if (session) return pick(turn, { have: session.entities.at(-1)?.symbol ?? 'none' })
  tell(
    turn,
    'This session has no entities yet. Say what you want to do, or pick entities: `/context api:Entity …`.',
  )
  return undefined
}
