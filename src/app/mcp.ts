import { ownValue } from '../base/json.ts'
import { join } from 'node:path'
import { type ClientServer, clientServer, type McpServer } from '../access/mcp-server.ts'
import type { Workspaces } from '../access/workspace.ts'
import type { SessionContext } from '../access/session-context.ts'
import type { TrustLevel } from '../access/trust.ts'
import type { AttachedServers, McpRuntime } from '../adapters/mcp/runtime.ts'
import type { Result } from '../base/diagnostic.ts'
import type { Emit } from '../base/event.ts'
import { catalogSet } from '../catalog/lookup.ts'
import type { CatalogSource, Reading } from '../catalog/source.ts'
import type { Config } from '../config/read.ts'
import type { Mcp } from '../execution/mcp.ts'
import { VERSION } from '../version.ts'
import { systemClock as clock } from './system.ts'

/** The MCP servers that this process calls. */
export interface OpenedMcp {
  /** The catalogs of the operator's servers. */
  readonly catalogs: CatalogSource
  readonly readings: () => readonly Reading[]
  /** For the engine. */
  readonly mcp: (session: SessionContext) => Mcp
  /**
   * Serves a client's own servers for its session alone.
   *
   * @param place where they run: the trust of the session, and its folder
   */
  readonly attach: (
    servers: readonly ClientServer[],
    place: { readonly trust: TrustLevel; readonly cwd: string },
  ) => Promise<AttachedServers>
  /** Lists a server that is not served yet, and keeps its lists. */
  readonly list: (server: McpServer) => Promise<Result<Reading>>
  /** Ends the processes of a session. */
  readonly endSession: (sessionId: string) => Promise<void>
  /** From now on the lists of servers are read again when they are old or have changed. */
  readonly watch: () => void
  readonly shutDown: () => Promise<void>
}

/** The folder of the last known lists of servers. */
export function listingsIn(dataDir: string): string {
  return join(dataDir, 'mcp')
}

/** How old the lists of a server may be, in ms. */
const KEPT_MS = 60 * 60_000

interface Around {
  readonly workspaces: Workspaces
  /** The secret behind a reference. */
  readonly secret: (reference: string) => Promise<string>
  readonly emit: Emit
  /** Whether a catalog of the deployment has the name. */
  readonly isTaken: (name: string) => boolean
}

/** Opens what calling MCP servers needs: with the first server, since most processes call none. */
export async function openMcp(
  config: Pick<Config, 'mcpServers' | 'mcpPool' | 'mcpWaitMs' | 'contextPrefixes' | 'dataDir' | 'access'>,
  { workspaces, secret, emit, isTaken }: Around,
): Promise<OpenedMcp> {
  let loading: Promise<McpRuntime> | undefined
  const load = async () => {
    const { McpRuntime } = await import('../adapters/mcp/runtime.ts')
    return new McpRuntime({
      clock,
      emit,
      version: VERSION,
      pool: config.mcpPool,
      waitMs: config.mcpWaitMs,
      prefixes: config.contextPrefixes,
      folder: listingsIn(config.dataDir),
      sandbox: {
        searchPath: process.env['PATH'] ?? '',
        secret: [config.dataDir, ...(config.access.keysDir === undefined ? [] : [config.access.keysDir])],
        isGranted: async (root) => {
          const found = await workspaces.find(root, false)
          return found.ok && found.value.isGranted
        },
      },
      lookup: {
        secret,
        variable: (name) => ownValue(process.env, name),
      },
    })
  }
  const runtime = () => (loading ??= load())
  const opened = config.mcpServers.length > 0 ? await runtime() : undefined
  await opened?.catalogs.open(config.mcpServers, KEPT_MS)
  const none = catalogSet([])
  return {
    catalogs: { current: () => opened?.catalogs.current() ?? none },
    readings: () => opened?.catalogs.readings ?? [],
    mcp: (session) => ({
      send: async (call, limits) => (await runtime()).servers.of(session).send(call, limits),
    }),
    attach: async (servers, { trust, cwd }) =>
      (await runtime()).attach(
        servers.map((server) => clientServer(server, trust, cwd)),
        isTaken,
      ),
    list: async (server) => (await runtime()).catalogs.refresh(server),
    endSession: async (sessionId) => (await loading)?.pool.endSession(sessionId),
    watch: () => opened?.watch(KEPT_MS),
    shutDown: async () => (await loading)?.shutDown(),
  }
}
