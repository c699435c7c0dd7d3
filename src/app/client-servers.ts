import { setTimeout as delay } from 'node:timers/promises'
import type { ClientServer } from '../access/mcp-server.ts'
import { scopeOf } from '../access/scope.ts'
import type { TrustLevel } from '../access/trust.ts'
import { workspaceRoot, type Workspaces } from '../access/workspace.ts'
import type { AttachedServers } from '../adapters/mcp/runtime.ts'
import { ok, type Problem, type Result } from '../base/diagnostic.ts'
import { joined } from '../catalog/source.ts'
import type { SessionServers } from '../surfaces/acp/parts.ts'
import type { OpenedMcp } from './mcp.ts'

/**
 * Connects to the MCP servers that a client brings along for one session: to all of them at once, each as soon as it answers,
 * with the trust of the session's directory.
 *
 * @param waitMs how long `ready` waits at most
 */
export function connectClientServers(
  mcp: Pick<OpenedMcp, 'attach'>,
  workspaces: Workspaces,
  waitMs: number,
): (servers: readonly ClientServer[], cwd: string) => SessionServers {
  return (servers, cwd) => {
    const attached: AttachedServers[] = []
    const problems: Problem[] = []
    const pending = new Set(servers.map(({ name }) => name))
    let source = joined()
    let isClosed = false
    const trust = trustIn(workspaces, cwd)
    const connect = async (server: ClientServer) => {
      const place = await trust
      if (!place.ok) return place.problems
      const one = await mcp.attach([server], { trust: place.value, cwd })
      if (isClosed) await one.close()
      else attached.push(one)
      source = joined(...attached.map(({ catalogs }) => catalogs))
      return one.problems
    }
    const all = Promise.all(
      servers.map(async (server) => {
        problems.push(...(await connect(server)))
        pending.delete(server.name)
      }),
    )
    // Awaited by `ready`, if at all.
    all.catch(() => undefined)
    return {
      catalogs: { current: () => source.current() },
      ready: async () => {
        await Promise.race([all, delay(waitMs, undefined, { ref: false })])
        return { problems: [...problems], pending: [...pending] }
      },
      close: async () => {
        isClosed = true
        await Promise.all(attached.map((one) => one.close()))
      },
    }
  }
}

/** Gives what `workspaceRoot` and `Workspaces.find` give. */
async function trustIn(workspaces: Workspaces, cwd: string): Promise<Result<TrustLevel>> {
  const root = workspaceRoot(cwd)
  if (!root.ok) return root
  const found = await workspaces.find(root.value, true)
  return found.ok ? ok(scopeOf({ announced: found.value }, workspaces.trust).trust) : found
}
