import type { McpServer, McpStart } from '../../access/mcp-server.ts'
import { diskWorkspaces } from '../../adapters/workspaces/workspaces.ts'
import { secretReader } from '../../adapters/wire/secrets.ts'
import { failed, type Problem, type Result } from '../../base/diagnostic.ts'
import { oneLine } from '../../base/text/one-line.ts'
import type { Reading } from '../../catalog/source.ts'
import type { Config } from '../../config/read.ts'
import { openMcp } from '../mcp.ts'

/** The longest line of a server that is shown, in characters. */
const LONGEST_LINE = 300

/** Starts or reaches MCP servers to read their lists, which are kept. Gives for each how its listing failed. */
export async function listServers(
  servers: readonly McpServer[],
  config: Config,
): Promise<readonly Result<Reading>[]> {
  const lastLines = new Map<unknown, unknown>()
  const mcp = await openMcp(
    { ...config, mcpServers: [] },
    {
      workspaces: await diskWorkspaces(config.workspaces),
      secret: secretReader(process.env),
      emit: ({ name, facts }) => {
        if (name === 'mcp_output' && facts['stream'] === 'stderr')
          lastLines.set(facts['server'], facts['line'])
      },
      isTaken: () => false,
    },
  )
  try {
    const listed = await Promise.all(servers.map((server) => mcp.list(server)))
    return listed.map((one, at) => explained(one, servers[at]?.start, lastLines.get(servers[at]?.name)))
  } finally {
    await mcp.shutDown()
  }
}

/** The problem of a server that did not start, for its operator: with the last line that it wrote. */
function explained(listed: Result<Reading>, start: McpStart | undefined, lastLine: unknown): Result<Reading> {
  if (listed.ok) return listed
  const wrote = typeof lastLine === 'string' ? ` It wrote: "${oneLine(lastLine, LONGEST_LINE)}".` : ''
  return failed(
    listed.problems.map((found) =>
      found.code === 'mcp_not_started'
        ? { ...found, message: `${found.message}${wrote}`, next: nextOf(found, start) }
        : found,
    ),
  )
}

function nextOf({ message }: Problem, start: McpStart | undefined): string {
  if (start?.kind !== 'http')
    return 'Correct the command, its arguments or its environment, then run this again.'
  return /\bstatus 40[13]\b/.test(message)
    ? "Give its credential with `--header 'Authorization: Bearer ${NAME}'`, where NAME is a variable of the environment."
    : 'Correct the address or its headers, then run this again.'
}
