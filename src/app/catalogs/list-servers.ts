import type { McpServer } from '../../access/mcp-server.ts'
import { diskWorkspaces } from '../../adapters/workspaces/workspaces.ts'
import { secretReader } from '../../adapters/wire/secrets.ts'
import type { Result } from '../../base/diagnostic.ts'
import type { Reading } from '../../catalog/source.ts'
import type { Config } from '../../config/read.ts'
import { openMcp } from '../mcp.ts'

/** Starts or reaches MCP servers to read their lists, which are kept. Gives for each how its listing failed. */
export async function listServers(
  servers: readonly McpServer[],
  config: Config,
): Promise<readonly Result<Reading>[]> {
  const mcp = await openMcp(
    { ...config, mcpServers: [] },
    {
      workspaces: await diskWorkspaces(config.workspaces),
      secret: secretReader(process.env),
      emit: () => undefined,
      isTaken: () => false,
    },
  )
  try {
    return await Promise.all(servers.map((server) => mcp.list(server)))
  } finally {
    await mcp.shutDown()
  }
}
