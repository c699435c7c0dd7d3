import type { Problem } from '../../base/diagnostic.ts'
import type { Caller, Conversations, Gateway, OwnCatalogs } from '../../engine/index.ts'
import type { SupportedServer } from './requests.ts'

/** The MCP servers that a client brought along for one session. */
export interface SessionServers {
  /** Those that answered so far. */
  readonly catalogs: OwnCatalogs['catalogs']
  /** Waits until all have answered or failed, or the operator's limit is reached. */
  readonly ready: () => Promise<{
    readonly problems: readonly Problem[]
    /** The names of those that do neither yet. */
    readonly pending: readonly string[]
  }>
  /** Ends their processes. */
  readonly close: () => Promise<void>
}

/** The dependencies of this surface. */
export interface AcpParts {
  readonly gateway: Gateway
  readonly conversations: Conversations
  /** The user of this machine: ACP has no other. */
  readonly caller: Caller
  readonly version: string
  /** Connects to servers of a client for one session, whose directory is given. */
  readonly connect: (servers: readonly SupportedServer[], cwd: string) => SessionServers
  /** Receives internal errors; clients only learn that one happened. */
  readonly report: (error: unknown) => void
}
