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
  /** What the sandbox lets through, if there is one; absent: the least. */
  readonly sandbox?: McpSandbox
  /** Its calls need a workspace. */
  readonly needsWorkspace?: true
  /** A server over HTTP gets the session's context as headers, and its workspace announced. */
  readonly sendsContext?: true
}

/** What the operator lets through the sandbox of a server. */
export interface McpSandbox {
  /** It may use the network; without it not even this machine's. */
  readonly network: boolean
  /** How it sees the workspace of its session. */
  readonly workspace: 'none' | 'read' | 'write'
  /** Folders below hidden ones that it sees all the same, read-only: its own program, as a rule. Absolute. */
  readonly paths: readonly string[]
}

export const DEFAULT_SANDBOX: McpSandbox = { network: false, workspace: 'none', paths: [] }

/** The tools that the operator declares to change nothing: these, and with `trustsHints` those that the server says it of. */
interface DeclaredReads {
  readonly names: readonly string[]
  readonly trustsHints: boolean
}

/**
 * An operator's values may refer to the environment of this process; they are resolved when a server is started, and kept
 * nowhere. A client's are taken as they are.
 */
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

/** A server that a client brings along for its session, as the Agent Client Protocol writes it. */
export type ClientServer =
  | {
      readonly name: string
      readonly command: string
      readonly args: readonly string[]
      readonly env: readonly Variable[]
    }
  | { readonly name: string; readonly url: string; readonly headers: readonly Variable[] }

interface Variable {
  readonly name: string
  readonly value: string
}

/**
 * A client's server as its session may use it: with the trust of the session, in a process of its own, and without any right
 * that only an operator grants. Its name becomes the id of a catalog: characters that an id cannot have are replaced.
 *
 * @param cwd the absolute path of the folder that it runs in
 */
export function clientServer(server: ClientServer, trust: ServerGrant['trust'], cwd: string): McpServer {
  const name = server.name
    .trim()
    .replaceAll(/[^\p{L}\p{N}_$@.:/-]+/gu, '-')
    .slice(0, 100)
  return {
    name: name === '' || name === '__proto__' ? 'server' : name,
    owner: 'client',
    trust,
    isolation: 'session',
    reads: { names: [], trustsHints: false },
    start:
      'url' in server
        ? { kind: 'http', url: server.url, headers: valuesOf(server.headers) }
        : { kind: 'stdio', command: server.command, args: server.args, env: valuesOf(server.env), cwd },
  }
}

function valuesOf(pairs: readonly Variable[]): Readonly<Record<string, string>> {
  return Object.fromEntries(pairs.map(({ name, value }) => [name, value]))
}
