import type { Problem } from '../../base/diagnostic.ts'
import { acpProblem } from './problems.ts'
import type { GivenServer, SupportedServer } from './requests.ts'

/**
 * The servers of a request, as far as this agent announced their kind. Gives `server_kind_unsupported` or `server_name_twice`;
 * nothing was started then.
 */
export function readServers(
  given: readonly GivenServer[],
):
  | { readonly ok: true; readonly value: readonly SupportedServer[] }
  | { readonly ok: false; readonly problems: readonly Problem[] } {
  const servers: SupportedServer[] = []
  const problems: Problem[] = []
  const names = new Set<string>()
  for (const server of given) {
    const name = JSON.stringify(server.name.slice(0, 80))
    if (names.has(server.name)) problems.push(acpProblem('server_name_twice', { name }))
    names.add(server.name)
    if (server.type === 'sse') problems.push(acpProblem('server_kind_unsupported', { name, kind: 'sse' }))
    else servers.push(server)
  }
  return problems.length > 0 ? { ok: false, problems } : { ok: true, value: servers }
}
