import type { SessionContext } from './session-context.ts'
import type { TrustLevel } from './trust.ts'

/** What the operator says about a server beside how to start it. */
export interface ServerGrant {
  /**
   * `direct`: it runs with the rights of this process, and only sessions of direct trust have it. `sandboxed`: all sessions
   * have it, and a server that is a process runs in a sandbox. A client's own server has the trust of its session.
   */
  readonly trust: TrustLevel
  /** The ids of the workspaces that have it; absent: it is not limited to any. */
  readonly workspaces?: readonly string[] | undefined
}

/** May a session of this trust use the server? */
export function isTrusted({ trust }: Pick<ServerGrant, 'trust'>, session: TrustLevel): boolean {
  return session === 'direct' || trust === 'sandboxed'
}

/** Does the workspace have the server? `granted` are ids that the operator gave to roots, never those of a file. */
export function isInWorkspace(
  { workspaces }: Pick<ServerGrant, 'workspaces'>,
  granted: readonly string[],
): boolean {
  return workspaces === undefined || (granted.length > 0 && granted.every((id) => workspaces.includes(id)))
}

/** Does a process of this server run in the sandbox? If either side asks for it. */
export function needsSandbox(
  { trust }: Pick<ServerGrant, 'trust'>,
  session: Pick<SessionContext, 'trust'>,
): boolean {
  return trust !== 'direct' || session.trust !== 'direct'
}
