import type { Caller } from './caller.ts'
import { isInWorkspace, isTrusted } from './servers.ts'
import { lowestTrust, type TrustLevel } from './trust.ts'
import type { Workspace } from './workspace.ts'

/** Where a call takes place, and how far it may go: a snapshot for the whole call. */
export interface CallScope {
  /** `''` without one. */
  readonly workspaceId: string
  /** Absolute; `''` without a workspace. */
  readonly workspaceRoot: string
  readonly trust: TrustLevel
  /** The workspaces that the call names, the explicit one last. */
  readonly workspaces: readonly Workspace[]
}

/** A catalog, as far as the place of a call decides about it. */
interface Placed {
  readonly id: string
  readonly trust?: TrustLevel | undefined
  readonly workspaces?: readonly string[] | undefined
}

/**
 * The scope of a call. The explicit workspace takes precedence over the announced one, but its argument may be written by a
 * model: it never has more trust or more catalogs than the call has without it.
 *
 * @param ceilings further levels of trust that the call never exceeds
 */
export function scopeOf(
  {
    announced,
    explicit,
  }: { readonly announced?: Workspace | undefined; readonly explicit?: Workspace | undefined },
  trust: TrustLevel,
  ceilings: readonly TrustLevel[] = [],
): CallScope {
  const place = explicit ?? announced
  return {
    workspaceId: place?.id ?? '',
    workspaceRoot: place?.root ?? '',
    trust: lowestTrust([announced?.trust ?? trust, ...(explicit ? [explicit.trust] : []), ...ceilings]),
    workspaces: [announced, explicit].filter((one) => one !== undefined),
  }
}

/** May a call in this scope use the catalog? */
export function allows({ trust, workspaces }: CallScope, catalog: Placed): boolean {
  return (
    isTrusted({ trust: catalog.trust ?? 'sandboxed' }, trust) &&
    isInWorkspace(
      catalog,
      workspaces.map(({ grantedId }) => grantedId ?? ''),
    ) &&
    workspaces.every(({ limits }) => limits.every((list) => list.includes(catalog.id)))
  )
}

/** The caller with no more rights than the scope leaves: every question about a catalog asks the scope as well. */
export function callerIn(
  caller: Caller,
  scope: CallScope,
  catalogOf: (id: string) => Placed | undefined,
): Caller {
  return {
    ...caller,
    mayUseCatalog: (id) => caller.mayUseCatalog(id) && allows(scope, catalogOf(id) ?? { id }),
  }
}
