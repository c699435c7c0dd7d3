import type { PromptRequest, PromptResponse, SessionUpdate } from '@agentclientprotocol/sdk'
import { failed, ok, type Result, sentences } from '../../../base/diagnostic.ts'
import { passingProblem, type Turn } from '../../../engine/index.ts'
import type { AcpClient } from '../client.ts'
import { answer } from './commands.ts'
import { type Prompt, readPrompt } from './content.ts'
import { headText } from '../head.ts'
import type { AcpSession } from '../acp-session.ts'
import type { AcpParts } from '../parts.ts'
import { acpProblem } from '../problems.ts'
import { closeCutOff } from '../replay.ts'
import { Speaker } from './speaker.ts'
import { freshId, tell, type TurnContext } from './turn-context.ts'
import { turnOf } from '../waiting.ts'

/** The longest title of a session. */
const TITLE = 80

interface PromptCall {
  readonly session: AcpSession
  readonly client: AcpClient
  readonly announce: () => Promise<void>
  readonly signal: AbortSignal
}

/** `session/prompt`: resolves after the last update. Gives the problems of the prompt and of the turn. */
export async function prompt(
  parts: AcpParts,
  call: PromptCall,
  { prompt: blocks, _meta: meta }: Pick<PromptRequest, 'prompt' | '_meta'>,
): Promise<Result<PromptResponse>> {
  const read = readPrompt(blocks, meta ?? undefined)
  if (!read.ok) return read
  const done = await call.session.inTurn<Result<PromptResponse>>(call.signal, async (controller) => {
    const turn = await turnOf(parts, call.session.id, controller.signal)
    if (!turn.ok) return controller.signal.aborted ? ok({ stopReason: 'cancelled' }) : turn
    try {
      return await answerIn(parts, call, { turn: turn.value, controller, prompt: read.value })
    } finally {
      await turn.value.end()
    }
  })
  return done.ok ? done.value : done
}

interface Answering {
  readonly turn: Turn
  readonly controller: AbortController
  readonly prompt: Prompt
}

async function answerIn(
  parts: AcpParts,
  { session, client, announce }: PromptCall,
  { turn, controller, prompt: given }: Answering,
): Promise<Result<PromptResponse>> {
  const { signal } = controller
  let isLost = false
  const onLost = () => {
    isLost = true
    controller.abort()
  }
  const send = (update: SessionUpdate) => client.send(session.id, update)
  const speaker = new Speaker({ turn, send, onLost, report: parts.report })
  if (turn.conversation.isCutOff) for (const update of await closeCutOff(parts, turn)) await send(update)
  await announce()
  hear(speaker, given)
  await entitle(session, turn, speaker, given)
  const context: TurnContext = {
    gateway: parts.gateway,
    caller: parts.caller,
    head: session.head,
    options: {
      announced: { workspace: session.roots.cwd },
      own: { intent: session.head.intent, catalogs: session.servers.catalogs },
    },
    prompt: given,
    speaker,
    signal,
    ask: (question) => client.ask({ sessionId: session.id, ...question }, signal),
  }
  const { unsaid } = session
  session.unsaid = []
  if (unsaid.length > 0) tell(context, unsaid.map((problem) => `- ${sentences(problem)}`).join('\n'))
  // A prompt that was cancelled while it waited is kept, and not answered.
  if (!signal.aborted) await answered(parts, context)
  await speaker.flushed()
  if (isLost) return failed([acpProblem('turn_taken_over', {})])
  if (!speaker.isKept) {
    tell(context, '_This part of the conversation could not be stored: a later load will not show it._')
    await speaker.flushed()
  }
  return ok({ stopReason: signal.aborted ? 'cancelled' : 'end_turn' })
}

/** Answers; an error of ours is reported, and the client learns that it happened. */
async function answered(parts: AcpParts, context: TurnContext): Promise<void> {
  try {
    await answer(context)
  } catch (error) {
    parts.report(error)
    const passing = passingProblem(error)
    tell(
      context,
      passing ? `${passing.message} ${passing.next}` : '_Internal error: it was reported to the operator._',
    )
  }
}

/** Keeps the prompt, block by block, as one message. */
function hear(speaker: Speaker, { blocks, meta }: Prompt): void {
  const messageId = freshId('m')
  for (const content of blocks)
    speaker.note({
      sessionUpdate: 'user_message_chunk',
      messageId,
      content,
      ...(meta && { _meta: meta }),
    })
}

/** The first prompt gives the session its title. */
async function entitle(session: AcpSession, turn: Turn, speaker: Speaker, { text }: Prompt): Promise<void> {
  const line = text.split('\n', 1)[0]?.trim() ?? ''
  if (session.head.title !== undefined || line === '') return
  const title = line.length > TITLE ? `${line.slice(0, TITLE - 1).toWellFormed()}…` : line
  const head = { ...session.head, title }
  if (!(await turn.append([], headText(head)))) return
  session.head = head
  speaker.say({ sessionUpdate: 'session_info_update', title })
}
