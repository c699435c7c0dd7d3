import type { McpServer } from '../../access/mcp-server.ts'
import type { Reading } from '../../catalog/source.ts'
import type { ListedCatalog } from '../../surfaces/cli/dependencies.ts'

/** A catalog on one line. */
export function listedOf({ id, catalog, operations, warnings }: Reading, source: string): ListedCatalog {
  return {
    id,
    source,
    ok: catalog !== undefined,
    entities: catalog?.entities.length ?? 0,
    capabilities: catalog?.capabilities.length ?? 0,
    ...(operations && { operations: { total: operations.total, reachable: operations.reachable } }),
    server: catalog?.origin ?? '',
    ...(catalog && catalog.otherOrigins.length > 0 && { other_servers: catalog.otherOrigins }),
    auth: catalog?.auth.scheme ?? '',
    warnings: warnings.length,
  }
}

/** How a server is started or reached, as the configuration writes it. */
export function sourceOfServer({ start }: McpServer): string {
  return start.kind === 'http' ? start.url : [start.command, ...start.args].join(' ')
}
