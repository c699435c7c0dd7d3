import { setTimeout as delay } from 'node:timers/promises'
import { failed, type Result } from '../../base/diagnostic.ts'
import type { Conversation, Turn } from '../../engine/index.ts'
import { acpProblem } from './problems.ts'
import type { AcpParts } from './parts.ts'

/** Longer than the place of a turn whose process was killed. */
const PATIENCE_MS = 7000
const PAUSE_MS = 100

/** Begins a turn; waits a while if another process answers in the conversation. Gives the problems of `turn`. */
export async function turnOf(
  { conversations, caller }: AcpParts,
  id: string,
  signal: AbortSignal,
): Promise<Result<Turn>> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const turn = await conversations.turn(caller, id)
    const isBusy = !turn.ok && turn.problems.some(({ code }) => code === 'conversation_busy')
    if (!isBusy || performance.now() > until || signal.aborted) return turn
    await delay(PAUSE_MS, undefined, { signal }).catch(() => undefined)
  }
}

/** Finds a conversation in which nothing runs. Gives `unknown_conversation` or `prompt_running`. */
export async function quietConversation(
  { conversations, caller }: AcpParts,
  id: string,
): Promise<Result<Conversation>> {
  const until = performance.now() + PATIENCE_MS
  for (;;) {
    const found = await conversations.find(caller, id)
    if (!found.ok || !found.value.isRunning) return found
    if (performance.now() > until) return failed([acpProblem('prompt_running', {})])
    await delay(PAUSE_MS)
  }
}
