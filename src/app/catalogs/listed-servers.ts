import type { McpServer } from '../../access/mcp-server.ts'
import type { Reading } from '../../catalog/source.ts'
import type { Config } from '../../config/read.ts'
import type { ListedCatalog } from '../../surfaces/cli/dependencies.ts'
import { listingsIn } from '../mcp.ts'
import { listedOf, sourceOfServer } from './listed.ts'

/** The MCP servers of the configuration on one line each, by the lists that they gave the last time: none is started. */
export async function listedServers(config: Config): Promise<readonly ListedCatalog[]> {
  const readings = await keptReadings(config)
  return readings.map(({ server, reading }) => ({
    ...listedOf(reading, sourceOfServer(server)),
    kind: 'mcp' as const,
  }))
}

/** The MCP servers of the configuration, with what their last lists say; a server without lists has no catalog. */
export async function keptReadings({
  mcpServers,
  dataDir,
}: Config): Promise<readonly { readonly server: McpServer; readonly reading: Reading }[]> {
  if (mcpServers.length === 0) return []
  const [{ KeptListings }, { readingOf }] = await Promise.all([
    import('../../adapters/mcp/kept-listings.ts'),
    import('../../adapters/mcp/catalogs.ts'),
  ])
  const kept = new KeptListings(listingsIn(dataDir))
  return Promise.all(
    mcpServers.map(async (server) => {
      const known = await kept.read(server)
      const reading = known
        ? readingOf(server, server.name, known.listing)
        : { path: '', id: server.name, errors: [], warnings: [] }
      return { server, reading }
    }),
  )
}
