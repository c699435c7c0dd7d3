import type { McpServer } from '../../access/mcp-server.ts'
import { contextOfNone } from '../../access/session-context.ts'
import type { Json } from '../../base/canonical.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { child } from '../../base/json.ts'
import { oneLine } from '../../base/one-line.ts'
import { pin } from '../../catalog/digest.ts'
import { type CatalogSet, catalogSet } from '../../catalog/lookup.ts'
import { readMcp } from '../../catalog/readers/mcp/read.ts'
import type { CatalogSource, Reading } from '../../catalog/source.ts'
import type { KeptListings } from './kept-listings.ts'
import { listOf } from './list.ts'
import type { Pool } from './pool.ts'
import { mcpProblem } from './problems.ts'
import type { McpServers } from './servers.ts'

interface Parts {
  readonly pool: Pool
  readonly servers: McpServers
  readonly kept: KeptListings
  readonly clock: Clock
  /** How long listing one server may take, in ms. */
  readonly listMs: number
  /** Called for each server that is served. */
  readonly onOpened: (server: McpServer) => void
}

/** The lists of a server count as fresh for so long, in ms. */
const FRESH_MS = 60_000

/** The catalogs of the operator's MCP servers: read from their lists, again whenever those change. */
export class McpCatalogs implements CatalogSource {
  readonly #parts: Parts
  readonly #readings = new Map<string, Reading>()
  readonly #served = new Map<string, McpServer>()
  readonly #listedAt = new Map<string, number>()
  readonly #underWay = new Map<string, Promise<Result<Reading>>>()
  #set: CatalogSet = catalogSet([])

  constructor(parts: Parts) {
    this.#parts = parts
  }

  current(): CatalogSet {
    return this.#set
  }

  /** The result of reading each server's lists. */
  get readings(): readonly Reading[] {
    return [...this.#readings.values()]
  }

  /**
   * Serves these servers, by the lists that they gave the last time. A server without such lists is listed now.
   *
   * @param maxAgeMs older lists are read again now, too; the old ones are used where that fails
   */
  async open(servers: readonly McpServer[], maxAgeMs: number): Promise<void> {
    await Promise.all(
      servers.map(async (server) => {
        const { name } = server
        const { pool, kept, clock, servers: called, onOpened } = this.#parts
        called.add(name, server)
        this.#served.set(name, server)
        onOpened(server)
        const known = await kept.read(server)
        if (known) {
          pool.rememberEra(name, known.era)
          this.#listedAt.set(name, known.at)
          this.#readings.set(name, readingOf(server, name, known.listing))
        }
        if (known && clock.now() - known.at <= maxAgeMs) return
        const listed = await this.refresh(server)
        if (!listed.ok && !known) this.#readings.set(name, unread(server, listed.problems))
      }),
    )
    this.#settle()
  }

  /** Lists a server again, once at a time; what it listed before stays where that fails. */
  refresh(server: McpServer): Promise<Result<Reading>> {
    const { name } = server
    const running = this.#underWay.get(name)
    if (running) return running
    const listing = this.#list(server).finally(() => this.#underWay.delete(name))
    this.#underWay.set(name, listing)
    return listing
  }

  /** Lists every server again that was not listed a moment ago. */
  async refreshOld(): Promise<void> {
    const now = this.#parts.clock.now()
    const old = [...this.#served.values()].filter(
      ({ name }) => now - (this.#listedAt.get(name) ?? 0) > FRESH_MS,
    )
    await Promise.all(old.map((server) => this.refresh(server)))
  }

  async #list(server: McpServer): Promise<Result<Reading>> {
    const { kept, clock } = this.#parts
    const listed = await listServer(server, server.name, this.#parts)
    if (!listed.ok) return listed
    const { listing, era } = listed.value
    const reading = readingOf(server, server.name, listing)
    const at = clock.now()
    this.#listedAt.set(server.name, at)
    this.#readings.set(server.name, reading)
    this.#settle()
    await kept.write(server, { listing, era, at })
    return ok(reading)
  }

  #settle(): void {
    this.#set = catalogSet(this.readings.flatMap(({ catalog }) => (catalog ? [pin(catalog)] : [])))
  }
}

/** Reads a server's lists over a connection of its own, which is closed after. Gives the problems of `acquire`. */
export async function listServer(
  server: McpServer,
  key: string,
  { pool, listMs }: Pick<Parts, 'pool' | 'listMs'>,
): Promise<Result<{ readonly listing: Json; readonly era: 'legacy' | 'modern' }>> {
  const alone: McpServer = { ...server, isolation: 'call' }
  const context = contextOfNone({ workspaceId: '', workspaceRoot: '', trust: server.trust })
  const acquired = await pool.acquire({ key, server: alone, context, isListing: true }, listMs)
  if (!acquired.ok) return acquired
  const { connection, release, proven } = acquired.value
  try {
    const listing = await listOf(connection, listMs)
    proven()
    return ok({ listing, era: connection.era })
  } catch (error) {
    const reason = error instanceof Error ? oneLine(error.message, 200) : 'listing it failed'
    return failed([mcpProblem('mcp_not_started', { server: server.name, reason })])
  } finally {
    release()
  }
}

/** The catalog of a server's lists. */
export function readingOf(server: McpServer, key: string, listing: Json): Reading {
  const about = child(listing, 'server')
  const texts = ['name', 'instructions'].flatMap((part) => {
    const text = child(about, part)
    return typeof text === 'string' && text !== '' ? [text] : []
  })
  const { name, reads, trust, workspaces, needsWorkspace } = server
  const reading = readMcp({
    id: name,
    server: key,
    listing,
    reads,
    ...(texts.length > 0 && { description: texts.join(': ') }),
  })
  const { catalog } = reading
  if (!catalog) return reading
  const placed = { trust, ...(workspaces && { workspaces }), ...(needsWorkspace && { needsWorkspace }) }
  return { ...reading, catalog: Object.freeze({ ...catalog, ...placed }) }
}

function unread({ name }: McpServer, errors: readonly Problem[]): Reading {
  return { path: `mcp:${name}`, id: name, errors, warnings: [] }
}
