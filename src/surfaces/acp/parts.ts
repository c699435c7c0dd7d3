import type { Caller, Conversations, Gateway } from '../../engine/index.ts'

/** The dependencies of this surface. */
export interface AcpParts {
  readonly gateway: Gateway
  readonly conversations: Conversations
  /** The user of this machine: ACP has no other. */
  readonly caller: Caller
  readonly version: string
  /** Receives internal errors; clients only learn that one happened. */
  readonly report: (error: unknown) => void
}
