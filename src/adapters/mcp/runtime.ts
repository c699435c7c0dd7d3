import { randomUUID } from 'node:crypto'
import type { McpServer } from '../../access/mcp-server.ts'
import { needsSandbox } from '../../access/servers.ts'
import { hasSession } from '../../access/session-context.ts'
import type { Clock } from '../../base/clock.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { Emit } from '../../base/event.ts'
import { visible } from '../../base/text/one-line.ts'
import { pin, type PinnedCatalog } from '../../catalog/digest.ts'
import { catalogSet } from '../../catalog/lookup.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { CatalogSource } from '../../catalog/source.ts'
import { listServer, McpCatalogs, readingOf } from './catalogs.ts'
import { KeptListings } from './kept-listings.ts'
import type { Called } from './dial.ts'
import { Pool } from './pool.ts'
import { mcpProblem } from './problems.ts'
import type { Lookup } from './resolve.ts'
import { bubblewrap, type SandboxParts } from './sandbox/bubblewrap.ts'
import { McpServers } from './servers.ts'
import { Watchdog } from './transport/watchdog.ts'

interface RuntimeOptions {
  readonly clock: Clock
  readonly emit: Emit
  /** Of this program. */
  readonly version: string
  readonly pool: { readonly most: number; readonly idleMs: number }
  /** How long a start waits for servers that were never listed. */
  readonly waitMs: number
  /** Of the variables that carry the session context. */
  readonly prefixes: readonly string[]
  /** Where the last known lists of servers are kept. */
  readonly folder: string
  readonly lookup: Lookup
  readonly sandbox: SandboxParts
}

/** How long a server may take to start, and to list what it offers, in ms. */
const START_MS = 30_000
const LIST_MS = 20_000
/** How many lines of a server go to the log in one window of time, and how long that is, in ms. */
const LINES = 50
const WINDOW_MS = 10_000
/** Lists that were read in so many ms are not read again. */
const FRESH_MS = 60_000

/** The servers of one session. */
export interface AttachedServers {
  /** For `CallOptions.own` of each call of the session. */
  readonly catalogs: CatalogSource
  /** Of each server that is not served: the others are. */
  readonly problems: readonly Problem[]
  /** Ends their processes and serves them no more. */
  readonly close: () => Promise<void>
}

/** Everything that calls to MCP servers need, put together. */
export class McpRuntime {
  readonly pool: Pool
  readonly servers: McpServers
  readonly catalogs: McpCatalogs
  readonly #watchdog = new Watchdog()
  readonly #options: RuntimeOptions
  readonly #lines = new Map<string, { since: number; count: number }>()
  /** What to do when the lists of a server changed, by its key. */
  readonly #refreshes = new Map<string, () => Promise<unknown>>()
  /** When the lists of a server over HTTP were last in doubt, by its key. */
  readonly #doubts = new Map<string, number>()
  #timer: NodeJS.Timeout | undefined

  constructor(options: RuntimeOptions) {
    const { clock, version, pool, waitMs, prefixes, folder, lookup, sandbox } = options
    this.#options = options
    this.pool = new Pool({
      clock,
      version,
      ...pool,
      startMs: START_MS,
      dialing: {
        lookup,
        prefixes,
        sandbox: bubblewrap(sandbox),
        watchdog: this.#watchdog,
        onOutput: (server, stream, line) => this.#log(server, stream, line),
        onStarted: (called, pid) => this.#started(called, pid),
      },
      onListChanged: (key) => void this.#refreshes.get(key)?.(),
    })
    this.servers = new McpServers(this.pool, clock, (key) => this.#doubt(key))
    this.catalogs = new McpCatalogs({
      pool: this.pool,
      servers: this.servers,
      kept: new KeptListings(folder),
      clock,
      listMs: LIST_MS,
      waitMs,
      onOpened: (server) => this.#refreshes.set(server.name, () => this.catalogs.refresh(server)),
    })
  }

  /** Reads the lists of the operator's servers again: now, and whenever they are older than this. */
  watch(maxAgeMs: number): void {
    if (this.#timer) return
    void this.catalogs.refreshOld(FRESH_MS)
    this.#timer = setInterval(() => void this.catalogs.refreshOld(maxAgeMs), FRESH_MS).unref()
  }

  /**
   * Serves servers of a client for its session alone: under keys that no other catalog names. Each is listed now, all at
   * once; one that cannot be listed, or whose name is taken, is a problem, and the others are served.
   *
   * @param isTaken whether another catalog has the name
   */
  async attach(servers: readonly McpServer[], isTaken: (name: string) => boolean): Promise<AttachedServers> {
    const found = new Map<string, PinnedCatalog<ServedCatalog>>()
    let set = catalogSet([])
    const list = async (server: McpServer, key: string): Promise<readonly Problem[]> => {
      const listed = await listServer(server, key, { pool: this.pool, listMs: LIST_MS })
      if (!listed.ok) return listed.problems
      const { catalog } = readingOf(server, key, listed.value.listing)
      if (catalog) found.set(key, pin(catalog))
      set = catalogSet(found.values())
      return []
    }
    const names = servers.map(({ name }) => name)
    const own = servers.map((server, at) => ({
      server,
      key: `session:${randomUUID()}`,
      isTaken: isTaken(server.name) || names.indexOf(server.name) < at,
    }))
    const problems = await Promise.all(
      own.map(async ({ server, key, isTaken: isTwice }) => {
        if (isTwice) return [mcpProblem('mcp_name_taken', { server: server.name })]
        this.servers.add(key, server)
        this.#refreshes.set(key, () => list(server, key))
        return list(server, key)
      }),
    )
    return {
      catalogs: { current: () => set },
      problems: problems.flat(),
      close: async () => {
        for (const { key } of own) {
          this.#refreshes.delete(key)
          this.#doubts.delete(key)
        }
        await Promise.all(own.map(({ key }) => this.servers.remove(key)))
      },
    }
  }

  async shutDown(): Promise<void> {
    clearInterval(this.#timer)
    await this.pool.shutDown()
    this.#watchdog.end()
  }

  /** A server over HTTP cannot say that its tools changed: it is listed again when it refuses calls, now and then. */
  #doubt(key: string): void {
    const now = this.#options.clock.now()
    if (!this.servers.isOverHttp(key) || now - (this.#doubts.get(key) ?? 0) < FRESH_MS) return
    this.#doubts.set(key, now)
    void this.#refreshes.get(key)?.()
  }

  /** A process of its own is on record with the session that it serves; one that serves a call and names none is a fault. */
  #started({ server, context, isListing }: Called, pid: number): void {
    const { clock, emit } = this.#options
    const facts = {
      server: server.name,
      child_pid: pid,
      session: hasSession(context) ? context.sessionId.slice(0, 8) : '',
      workspace: context.workspaceId,
      trust: context.trust,
      isolation: server.isolation,
      sandbox: needsSandbox(server, context),
      listing: isListing === true,
    }
    emit({ name: 'mcp_started', at: clock.now(), facts })
  }

  /** What a server writes beside its messages goes to the log, up to a number of lines at a time. */
  #log(server: string, stream: 'stderr' | 'stdout', line: string): void {
    const { clock, emit } = this.#options
    const at = clock.now()
    const known = this.#lines.get(server)
    const window = known && at - known.since < WINDOW_MS ? known : { since: at, count: 0 }
    this.#lines.set(server, window)
    window.count++
    if (window.count > LINES + 1) return
    const text = window.count > LINES ? 'more lines are left out' : visible(line).slice(0, 1000)
    emit({ name: 'mcp_output', at, facts: { server, stream, line: text } })
  }
}
