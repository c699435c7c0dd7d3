import { fenced } from '../../../base/text/fenced.ts'
import type { RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import { randomUUID } from 'node:crypto'
import type { CallOptions, Caller, Gateway } from '../../../engine/index.ts'
import type { Prompt } from './content.ts'
import type { Head } from '../head.ts'
import type { Speaker } from './speaker.ts'

/** What the answer to one prompt may use. */
export interface TurnContext {
  readonly gateway: Gateway
  readonly caller: Caller
  readonly head: Head
  /** The directory of the session is the workspace of its calls. */
  readonly options: CallOptions
  readonly prompt: Prompt
  readonly speaker: Speaker
  /** Aborted by a cancel of the client, or when the turn lost its place. */
  readonly signal: AbortSignal
  /** Asks the person at the client. Rejects if the client cannot ask, or if the signal aborts. */
  readonly ask: (question: Omit<RequestPermissionRequest, 'sessionId'>) => Promise<RequestPermissionResponse>
}

/** A new id of a message or a tool call. */
export function freshId(kind: 'm' | 'call'): string {
  return `${kind}_${randomUUID()}`
}

/** Says a message of the agent, in Markdown. */
export function tell({ speaker }: Pick<TurnContext, 'speaker'>, text: string): void {
  const content = { type: 'text' as const, text: text.trimEnd() }
  speaker.say({ sessionUpdate: 'agent_message_chunk', messageId: freshId('m'), content })
}

/** A text that keeps its columns. */
export function fencedText(text: string): string {
  return fenced(text.trimEnd(), 'text')
}

/** The content of a tool call. */
export function shownText(text: string) {
  return [{ type: 'content' as const, content: { type: 'text' as const, text: text.trimEnd() } }]
}
