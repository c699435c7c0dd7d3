import type { Announced } from '../access/announced.ts'
import { type Caller, isLocal } from '../access/caller.ts'
import { type CallScope, callerIn, scopeOf } from '../access/scope.ts'
import { LEAST_TRUST } from '../access/trust.ts'
import { type Workspace, workspaceRoot } from '../access/workspace.ts'
import { ok, type Result } from '../base/diagnostic.ts'
import type { CallWatch, ScopeNotes } from './call.ts'
import type { Parts } from './parts.ts'

/** What a request says about where it takes place. */
interface Said {
  readonly input: unknown
  readonly announced: Announced | undefined
}

/** The caller and the scope of one call. */
interface Placed {
  readonly caller: Caller
  readonly scope: CallScope
}

/**
 * Where a call takes place: the one resolver for all surfaces. The workspace of the input takes precedence over the announced
 * one; without either there is none. No directory and no environment of this process is ever one.
 *
 * Gives what `workspaceRoot` and `Workspaces.find` give. An announced path that is relative names no folder and counts as
 * absent; since it could have named a narrow one, such a call has the least trust.
 */
export async function place(
  { workspaces, catalogs }: Pick<Parts, 'workspaces' | 'catalogs'>,
  caller: Caller,
  { input, announced = {} }: Said,
  watch: CallWatch,
): Promise<Result<Placed>> {
  const given = givenIn(input)
  const explicitRoot = given === undefined ? ok(undefined) : workspaceRoot(given)
  if (!explicitRoot.ok) return explicitRoot
  const isRelative = announced.workspace !== undefined && !announced.workspace.trim().startsWith('/')
  const ambientRoot =
    announced.workspace === undefined || isRelative ? ok(undefined) : workspaceRoot(announced.workspace)
  if (!ambientRoot.ok) return ambientRoot
  const [explicit, ambient] = [explicitRoot.value, ambientRoot.value]
  const find = async (root: string | undefined) =>
    root === undefined ? ok<Workspace | undefined>(undefined) : workspaces.find(root, isLocal(caller))
  const isSame = explicit === ambient
  const around = await find(ambient)
  if (!around.ok) return around
  const named = isSame ? ok<Workspace | undefined>(undefined) : await find(explicit)
  if (!named.ok) return named

  const ceiling = caller.trust?.()
  const scope = scopeOf({ announced: around.value, explicit: named.value }, workspaces.trust, [
    ...(ceiling === undefined ? [] : [ceiling]),
    ...(isRelative ? [LEAST_TRUST] : []),
  ])
  watch.placed(scope, notesOf(announced, { ambient, explicit }))
  return ok({
    caller: callerIn(caller, scope, (id) => catalogs.current().byId.get(id)?.catalog),
    scope,
  })
}

/** The input's own `workspace`; an empty one counts as absent. What is no text is left to the input's schema. */
function givenIn(input: unknown): string | undefined {
  if (typeof input !== 'object' || input === null || !('workspace' in input)) return undefined
  const { workspace } = input
  return typeof workspace === 'string' && workspace.trim() !== '' ? workspace : undefined
}

interface Roots {
  readonly ambient: string | undefined
  readonly explicit: string | undefined
}

function notesOf({ workspace, otherWorkspace }: Announced, { ambient, explicit }: Roots): ScopeNotes {
  const ignored = workspace !== undefined && ambient === undefined ? workspace : otherWorkspace
  const isOverruled = ambient !== undefined && explicit !== undefined && ambient !== explicit
  return {
    ...(isOverruled && { overruled: shortened(ambient) }),
    ...(ignored !== undefined && { ignored: shortened(ignored) }),
  }
}

function shortened(path: string): string {
  return path.trim().slice(0, 200)
}
