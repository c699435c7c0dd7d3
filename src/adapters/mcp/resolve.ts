import type { McpServer } from '../../access/mcp-server.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { shownReference } from '../../catalog/auth/reference.ts'
import { mcpProblem } from './problems.ts'

/** What references in a configuration lead to. */
export interface Lookup {
  /** A variable of this process. */
  readonly variable: (name: string) => string | undefined
  /** A secret by reference; rejects if there is none. */
  readonly secret: (reference: string) => Promise<string>
}

/** Whose configuration it is: only an operator's may refer to what this process knows. */
type Owned = Pick<McpServer, 'name' | 'owner'>

/** All of the values resolved, as `resolveText` does it. Gives the problems of each. */
export async function resolveValues(
  server: Owned,
  values: Readonly<Record<string, string>>,
  lookup: Lookup,
): Promise<Result<Readonly<Record<string, string>>>> {
  const problems: Problem[] = []
  const resolved = await Promise.all(
    Object.entries(values).map(async ([name, value]) => {
      const found = await resolveText(server, value, lookup)
      if (found.ok) return [[name, found.value] as const]
      problems.push(...found.problems)
      return []
    }),
  )
  return problems.length > 0 ? failed(problems) : ok(Object.fromEntries(resolved.flat()))
}

/**
 * A value of an operator with its references resolved: `env:NAME` and `file:PATH` as a whole value, and `${NAME}`,
 * `${env:NAME}` and `${NAME:-default}` anywhere in it, as hosts write them. A client's value stays as it is.
 *
 * Gives `mcp_variable_unset` or `mcp_secret_missing` for each reference that leads nowhere.
 */
export async function resolveText(
  { name: server, owner }: Owned,
  text: string,
  lookup: Lookup,
): Promise<Result<string>> {
  if (owner === 'client') return ok(text)
  if (/^(?:env|file):./.test(text)) {
    try {
      return ok(await lookup.secret(text))
    } catch {
      return failed([mcpProblem('mcp_secret_missing', { server, secret: shownReference(text) })])
    }
  }
  const unset: string[] = []
  const resolved = text.replaceAll(
    /\$\{(?:env:)?([A-Za-z_]\w*)(?::-([^}]*))?\}/g,
    (_, name: string, otherwise: string | undefined) => {
      const value = lookup.variable(name) ?? otherwise
      if (value === undefined) unset.push(name)
      return value ?? ''
    },
  )
  return unset.length > 0
    ? failed(unset.map((name) => mcpProblem('mcp_variable_unset', { server, name })))
    : ok(resolved)
}
