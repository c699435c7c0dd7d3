import type { SessionUpdate } from '@agentclientprotocol/sdk'
import type { Caller, Conversation, Conversations, Turn } from '../../engine/index.ts'

interface ReplayParts {
  readonly conversations: Conversations
  readonly caller: Caller
}

/** Only this surface writes lines, each of them an update. */
function said(line: string): SessionUpdate {
  const update: SessionUpdate = JSON.parse(line)
  return update
}

/** Sends the whole conversation again; resolves once the last update is written. Writes nothing to the store. */
export async function replay(
  { conversations, caller }: ReplayParts,
  conversation: Conversation,
  send: (update: SessionUpdate) => Promise<void>,
): Promise<void> {
  await conversations.eachLine(caller, conversation, (line) => send(said(line)))
}

/**
 * Completes what a turn left open whose process ended in the middle: its tool calls count as failed from then on, in every
 * later replay.
 *
 * Gives the updates that were added.
 */
export async function closeCutOff(
  { conversations, caller }: ReplayParts,
  turn: Turn,
): Promise<readonly SessionUpdate[]> {
  const open = new Set<string>()
  await conversations.eachLine(caller, turn.conversation, (line) => {
    const update = said(line)
    if (update.sessionUpdate !== 'tool_call' && update.sessionUpdate !== 'tool_call_update') return
    const { status } = update
    if (status === 'completed' || status === 'failed') open.delete(update.toolCallId)
    else if (update.sessionUpdate === 'tool_call') open.add(update.toolCallId)
  })
  const closing = [...open].map((toolCallId) => ({
    sessionUpdate: 'tool_call_update' as const,
    toolCallId,
    status: 'failed' as const,
    rawOutput: { ok: false, problems: ['run_cut_off'] },
  }))
  if (closing.length > 0) await turn.append(closing.map((update) => JSON.stringify(update)))
  return closing
}
