import { failed, ok, type Result } from '../../base/diagnostic.ts'
import type { McpServer, McpStart } from '../../access/mcp-server.ts'
import { needsSandbox } from '../../access/servers.ts'
import { checkContext, injectContext, type SessionContext } from '../../access/session-context.ts'
import type { Launch } from './transport/process.ts'
import { type Lookup, resolveText, resolveValues } from './resolve.ts'

type Stdio = Extract<McpStart, { kind: 'stdio' }>

/** What starting processes depends on besides a server's configuration. */
export interface Launching {
  readonly lookup: Lookup
  /** The prefixes of the variables that carry the session context. */
  readonly prefixes: readonly string[]
  /** Wraps a launch into the sandbox, or gives the reason why there is none. */
  readonly sandbox: (launch: Launch, server: McpServer, context: SessionContext) => Promise<Result<Launch>>
}

/** Variables of this process that every server gets: none of them holds a secret. */
export const INHERITED: readonly string[] = [
  'PATH',
  'HOME',
  'USER',
  'LOGNAME',
  'SHELL',
  'LANG',
  'LC_ALL',
  'TZ',
  'TERM',
  'TMPDIR',
]

/**
 * How the process of a server is started for a session: its configuration with references resolved, the context injected,
 * and the sandbox around it if trust asks for one. The server's environment holds nothing else of ours than a few plain
 * variables.
 *
 * Gives the problems of the context, of references and of the sandbox: then nothing is started.
 */
export async function launchOf(
  server: McpServer,
  start: Stdio,
  context: SessionContext,
  { lookup, prefixes, sandbox }: Launching,
): Promise<Result<Launch>> {
  const checked = checkContext(context)
  if (!checked.ok) return checked
  const given = await resolveValues(server, start.env, lookup)
  const args = await Promise.all(start.args.map((arg) => resolveText(server, arg, lookup)))
  const command = await resolveText(server, start.command, lookup)
  const wrong = [given, command, ...args].flatMap((part) => (part.ok ? [] : part.problems))
  if (!given.ok || !command.ok || wrong.length > 0) return failed(wrong)
  const { owner } = server
  const { server: injected } = injectContext({ env: given.value }, context, { owner, prefixes })
  const launch: Launch = {
    command: command.value,
    args: args.flatMap((arg) => (arg.ok ? [arg.value] : [])),
    env: { ...inherited(lookup), ...injected.env },
    cwd: start.cwd,
  }
  return needsSandbox(server, context) ? sandbox(launch, server, context) : ok(launch)
}

function inherited({ variable }: Lookup): Record<string, string> {
  return Object.fromEntries(
    INHERITED.flatMap((name) => {
      const value = variable(name)
      return value === undefined ? [] : [[name, value] as const]
    }),
  )
}
