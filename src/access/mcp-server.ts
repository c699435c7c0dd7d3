import type { ServerGrant } from './servers.ts'
import type { ConfigOwner } from './session-context.ts'

/** An MCP server that sessions may use: how to reach it, who configured it, and who may use it. */
export interface McpServer extends ServerGrant {
  /** The id of its catalog. */
  readonly name: string
  readonly owner: ConfigOwner
  /**
   * Who shares one connection, and so one process: `session`: the calls of one session; `call`: none, each call has its own;
   * `shared`: all sessions of one workspace and trust, so that the server is not told which session calls.
   */
  readonly isolation: 'call' | 'session' | 'shared'
  readonly reads: DeclaredReads
  readonly start: McpStart
}

/** The tools that the operator declares to change nothing: these, and with `trustsHints` those that the server says it of. */
export interface DeclaredReads {
  readonly names: readonly string[]
  readonly trustsHints: boolean
}

/** Values may refer to the environment of this process; they are resolved when a server is started, and kept nowhere. */
export type McpStart =
  | {
      readonly kind: 'stdio'
      readonly command: string
      readonly args: readonly string[]
      readonly env: Readonly<Record<string, string>>
      /** The absolute path of the folder that it runs in. */
      readonly cwd: string
    }
  | { readonly kind: 'http'; readonly url: string; readonly headers: Readonly<Record<string, string>> }
