import type { Json } from '../../../base/canonical.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { freeze } from '../../../base/freeze.ts'
import { lint } from '../../lint/lint.ts'
import type { Entity, ServedCatalog } from '../../model.ts'
import { problem } from '../../problems.ts'
import type { Reading } from '../../source.ts'
import { Entities } from './entities.ts'
import { type ListedTool, readListing } from './listing.ts'
import { capabilitiesOfResources } from './resources.ts'
import { capabilitiesOfTools } from './tools.ts'

/** A server whose lists are to be read. */
export interface McpSource {
  /** The name that the operator gave the server: the catalog's id. */
  readonly id: string
  /** The key under which calls find the server. */
  readonly server: string
  readonly description?: string
  /** The server's lists: see `readListing`. */
  readonly listing: Json
  /** The tools that the operator declares to change nothing. */
  readonly reads: ToolReads
}

/** Tools that change nothing: these, and those that the server says so of where the operator trusts its hints. */
interface ToolReads {
  readonly names: readonly string[]
  readonly trustsHints: boolean
}

/**
 * Reads the lists of an MCP server as a catalog. A tool is a change unless the operator declares it a read: a server's own
 * hints grant nothing. Whatever a server lists, the reading gives a catalog; what cannot be read is a warning.
 */
export function readMcp({ id, server, description, listing, reads }: McpSource): Reading {
  const read = readListing(listing)
  const entities = new Entities()
  const isRead = ({ name, isReadOnly }: ListedTool) =>
    reads.names.includes(name) || (reads.trustsHints && isReadOnly)
  const tools = capabilitiesOfTools(read.tools, entities, isRead)
  const resources = capabilitiesOfResources(read, entities, tools)
  const unread = read.unread + read.tools.length - tools.length
  const catalog: ServedCatalog = {
    id,
    version: 1,
    ...(description !== undefined && { description }),
    aliases: [],
    entities: entities.all().map((entity) => withKey(entity, resources.entity)),
    capabilities: [...tools, ...resources.capabilities],
    unsupported: [],
    origin: `mcp:${server}`,
    otherOrigins: [],
    auth: { scheme: 'none' },
  }
  const warnings: Problem[] = [
    ...(unread > 0 ? [problem('tools_unread', { server: id, count: unread })] : []),
    ...reads.names
      .filter((name) => !read.tools.some((tool) => tool.name === name))
      .map((name) => problem('unknown_tool', { server: id, name })),
    ...lint(catalog),
  ]
  return { path: `mcp:${id}`, id, catalog: freeze(catalog), errors: [], warnings }
}

/** A resource is identified by its URI. */
function withKey(entity: Entity, resource: string | undefined): Entity {
  return entity.name === resource ? { ...entity, key: ['uri'] } : entity
}
