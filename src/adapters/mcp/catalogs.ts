import { setTimeout as delay } from 'node:timers/promises'
import type { McpServer } from '../../access/mcp-server.ts'
import { contextOfNone } from '../../access/session-context.ts'
import type { Json } from '../../base/canonical.ts'
import type { Clock } from '../../base/clock.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { child } from '../../base/json.ts'
import { pin } from '../../catalog/digest.ts'
import { type CatalogSet, catalogSet, type UnreadCatalog } from '../../catalog/lookup.ts'
import { readMcp } from '../../catalog/readers/mcp/read.ts'
import type { CatalogSource, Reading } from '../../catalog/source.ts'
import { failureOf } from './failures.ts'
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
  /** How long serving waits for servers that are listed for the first time, in ms. */
  readonly waitMs: number
  /** Called for each server that is served. */
  readonly onOpened: (server: McpServer) => void
}

/** The pause before a server that could not be listed is tried again, in ms. */
const RETRY_MS = 5 * 60_000

/** The catalogs of the operator's MCP servers: read from their lists, again whenever those change. */
export class McpCatalogs implements CatalogSource {
  readonly #parts: Parts
  readonly #readings = new Map<string, Reading>()
  readonly #served = new Map<string, McpServer>()
  /** When each server was listed, or at least asked. */
  readonly #askedAt = new Map<string, number>()
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
   * Serves these servers, by the lists that they gave the last time. A server without such lists is listed now; one that takes
   * long is served once it is listed.
   *
   * @param maxAgeMs older lists are read again now, too; the old ones are used where that fails
   */
  async open(servers: readonly McpServer[], maxAgeMs: number): Promise<void> {
    const opening = Promise.all(servers.map((server) => this.#openOne(server, maxAgeMs)))
    const patience = new AbortController()
    await Promise.race([
      opening,
      delay(this.#parts.waitMs, undefined, { signal: patience.signal }).catch(() => undefined),
    ])
    patience.abort()
    for (const server of servers) {
      if (this.#readings.has(server.name)) continue
      const late = mcpProblem('mcp_no_answer', { server: server.name, milliseconds: this.#parts.waitMs })
      this.#readings.set(server.name, unread(server, [late]))
    }
    this.#settle()
  }

  async #openOne(server: McpServer, maxAgeMs: number): Promise<void> {
    const { name } = server
    const { pool, kept, clock, servers, onOpened } = this.#parts
    servers.add(name, server)
    this.#served.set(name, server)
    onOpened(server)
    const known = await kept.read(server)
    if (known) {
      pool.rememberEra(name, known.era)
      this.#askedAt.set(name, known.at)
      this.#readings.set(name, readingOf(server, name, known.listing))
    }
    if (known && clock.now() - known.at <= maxAgeMs) return
    const listed = await this.refresh(server)
    if (!listed.ok && !known) this.#readings.set(name, unread(server, listed.problems))
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

  /** Lists every server again whose lists are older than this, and now and then one that could not be listed. */
  async refreshOld(maxAgeMs: number): Promise<void> {
    const now = this.#parts.clock.now()
    const old = [...this.#served.values()].filter(({ name }) => {
      const isKnown = this.#readings.get(name)?.catalog !== undefined
      return now - (this.#askedAt.get(name) ?? 0) > (isKnown ? maxAgeMs : RETRY_MS)
    })
    await Promise.all(old.map((server) => this.refresh(server)))
  }

  async #list(server: McpServer): Promise<Result<Reading>> {
    const { kept, clock } = this.#parts
    const at = clock.now()
    this.#askedAt.set(server.name, at)
    const listed = await listServer(server, server.name, this.#parts)
    if (!listed.ok) return listed
    const { listing, era } = listed.value
    const reading = readingOf(server, server.name, listing)
    this.#readings.set(server.name, reading)
    this.#settle()
    await kept.write(server, { listing, era, at })
    return ok(reading)
  }

  #unread({ id, catalog, errors: [problem] }: Reading): readonly (readonly [string, UnreadCatalog])[] {
    const server = this.#served.get(id)
    if (catalog || !problem || !server) return []
    const { trust, workspaces } = server
    return [[id, { problem, trust, ...(workspaces && { workspaces }) }]]
  }

  #settle(): void {
    this.#set = catalogSet(
      this.readings.flatMap(({ catalog }) => (catalog ? [pin(catalog)] : [])),
      new Map(this.readings.flatMap((reading) => this.#unread(reading))),
    )
  }
}

/**
 * Reads a server's lists over a connection of its own, which is closed after. Gives the problems of `acquire`, or how the
 * listing failed.
 */
export async function listServer(
  server: McpServer,
  key: string,
  { pool, listMs }: Pick<Parts, 'pool' | 'listMs'>,
): Promise<Result<{ readonly listing: Json; readonly era: 'legacy' | 'modern' }>> {
  const alone: McpServer = { ...server, isolation: 'call' }
  const context = contextOfNone({ workspaceId: '', workspaceRoot: '', trust: server.trust })
  const until = performance.now() + listMs
  const acquired = await pool.acquire({ key, server: alone, context, isListing: true }, listMs)
  if (!acquired.ok) return acquired
  const { connection, release, proven } = acquired.value
  try {
    const listing = await listOf(connection, Math.max(1, until - performance.now()))
    proven()
    return ok({ listing, era: connection.era })
  } catch (error) {
    const asked = { server: server.name, timeoutMs: listMs, signal: new AbortController().signal }
    return failed([(await failureOf(error, asked, connection)).problem])
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
