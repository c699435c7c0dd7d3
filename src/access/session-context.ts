import { failed, ok, type Result } from '../base/diagnostic.ts'
import { trustProblem } from './problems.ts'
import type { TrustLevel } from './trust.ts'
import { isWorkspaceId } from './workspace.ts'

/** What a server that a session uses may know about the session. Authenticated by us; no text of an agent is in it. */
export interface SessionContext {
  /** The long ref of the logical session. */
  readonly sessionId: string
  /** The slug of the workspace; `''` without one. */
  readonly workspaceId: string
  /** The absolute path of the workspace; `''` without one. */
  readonly workspaceRoot: string
  readonly trust: TrustLevel
}

/**
 * The variables of a server's environment, without their prefix. A further one (such as a user's id) is a line here; a value
 * of undefined is not set.
 */
const VARIABLES: Readonly<Record<string, (context: SessionContext) => string | undefined>> = {
  SESSION_ID: ({ sessionId }) => sessionId,
  WORKSPACE_ID: ({ workspaceId }) => workspaceId,
  TRUST_LEVEL: ({ trust }) => trust,
}

/**
 * The context of a process that serves no session: to list what a server offers, and of a server that sessions share. Its
 * values are as valid as a session's own, and name none.
 */
export function contextOfNone({
  workspaceId,
  workspaceRoot,
  trust,
}: Omit<SessionContext, 'sessionId'>): SessionContext {
  return { sessionId: NO_SESSION, workspaceId, workspaceRoot, trust }
}

const NO_SESSION = 'operator'

/** Does the context name a session? */
export function hasSession({ sessionId }: SessionContext): boolean {
  return sessionId !== NO_SESSION
}

/** The names of the variables, without their prefix. */
export const CONTEXT_VARIABLES: readonly string[] = Object.keys(VARIABLES)

/** The prefixes under which servers get the variables, unless the operator sets others. */
export const CONTEXT_PREFIXES: readonly string[] = ['PLASMID_', 'PARACHUTE_']

/** In UTF-16 code units: the longest path of Linux. */
const LONGEST = 4096

/**
 * The context, if a process can take its values. Gives `bad_session_context`, one for each field that is wrong: then nothing
 * is started.
 */
export function checkContext(context: SessionContext): Result<SessionContext> {
  const { sessionId, workspaceId, workspaceRoot } = context
  const isRight: Readonly<Record<string, boolean>> = {
    sessionId: sessionId !== '' && isPlain(sessionId),
    workspaceId: workspaceId === '' || isWorkspaceId(workspaceId),
    workspaceRoot: workspaceRoot === '' || (workspaceRoot.startsWith('/') && isPlain(workspaceRoot)),
  }
  const wrong = Object.entries(isRight).filter(([, right]) => !right)
  return wrong.length === 0
    ? ok(context)
    : failed(wrong.map(([field]) => trustProblem('bad_session_context', { field })))
}

/** An environment cannot hold a NUL, and its texts are UTF-8. */
function isPlain(text: string): boolean {
  return text.length <= LONGEST && !text.includes('\0') && text.isWellFormed()
}

/** Who wrote the configuration of a server: the operator of this process, or a client for its own session. */
export type ConfigOwner = 'operator' | 'client'

interface Injection {
  readonly owner: ConfigOwner
  readonly prefixes: readonly string[]
}

/** The configuration of a server, as far as it concerns the context. */
interface WithEnvironment {
  readonly env?: Readonly<Record<string, string>> | undefined
}

/** The copy of a configuration that carries the context, and what of a client's it replaced. */
export interface Injected<Server> {
  readonly server: Server & { readonly env: Readonly<Record<string, string>> }
  /** Names that a client set and that were replaced. */
  readonly replaced: readonly string[]
}

/**
 * A copy of a server's configuration with the context in its environment. The operator's own values stay as they are, even
 * under these names. A client's are replaced, in whatever case they are written, so that no client forges a context.
 *
 * The context informs the server. What a session may use is decided before, by the scope of the call.
 */
export function injectContext<Server extends WithEnvironment>(
  server: Server,
  context: SessionContext,
  { owner, prefixes }: Injection,
): Injected<Server> {
  const given = Object.entries(server.env ?? {})
  const reserved = new Set(
    prefixes.flatMap((prefix) => CONTEXT_VARIABLES.map((name) => upper(prefix + name))),
  )
  const replaced =
    owner === 'client' ? given.map(([name]) => name).filter((name) => reserved.has(upper(name))) : []
  const kept = given.filter(([name]) => !replaced.includes(name))
  // Where a name occurs twice, the later value stays: what was kept comes last.
  const env = Object.fromEntries([...contextVariables(context, prefixes), ...kept])
  return { server: { ...server, env }, replaced }
}

/** The variables of a context, under each prefix. */
function contextVariables(context: SessionContext, prefixes: readonly string[]): [string, string][] {
  return prefixes.flatMap((prefix) =>
    Object.entries(VARIABLES).flatMap(([name, valueOf]): [string, string][] => {
      const value = valueOf(context)
      return value === undefined ? [] : [[prefix + name, value]]
    }),
  )
}

/** The headers of a context for a server over HTTP, which has no environment: `x-plasmid-session-id` and so on. */
export function contextHeaders(
  context: SessionContext,
  prefixes: readonly string[],
): readonly (readonly [string, string])[] {
  return contextVariables(context, prefixes).map(([name, value]) => [
    `x-${name.toLowerCase().replaceAll('_', '-')}`,
    value,
  ])
}

/** What a client announces of the context in `_meta`, in the spellings that servers know; undefined without a workspace. */
export function announcementOf({
  workspaceRoot: workspace,
}: SessionContext): Readonly<Record<string, { readonly workspace: string }>> | undefined {
  return workspace === '' ? undefined : { plasmid: { workspace }, orbit: { workspace } }
}

function upper(name: string): string {
  return name.toUpperCase()
}
