import { visibilityOf } from '../../access/caller.ts'
import { workspaceProblem } from '../../access/problems.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import { servedNow } from '../../catalog/served.ts'
import { type Called, whereOf } from '../../execution/invocation.ts'
import { problem } from '../../execution/problems.ts'
import type { EngineCall } from '../call.ts'
import { engineProblem } from '../problems.ts'

/**
 * May the capability be called at this moment? The caller's credential and rights, and the catalog as it is served now; the
 * catalog is the one to call.
 *
 * Gives what `rightsNow` and `withoutPlace` give, `not_allowed`, `catalog_gone`, `capability_gone` or `capability_changed`.
 */
export async function admit(call: EngineCall, called: Called): Promise<Result<ServedCatalog>> {
  const lapsed = await rightsNow(call)
  if (lapsed) return failed([lapsed])
  const where = whereOf(called)
  if (!visibilityOf(call.caller).allows(where.catalog, where.capability))
    return failed([problem('not_allowed', where)])
  const now = servedNow(call.catalogs.current(), called.pinned, where.capability)
  if ('gone' in now) return failed([engineProblem(now.gone, where)])
  const placeless = withoutPlace(call.scope, now.served)
  return placeless ? failed([placeless]) : ok(now.served)
}

/** Gives `missing_workspace` for a catalog that is called only in a workspace, where the call has none. */
export function withoutPlace(
  { workspaceRoot }: EngineCall['scope'],
  { id, needsWorkspace }: Pick<ServedCatalog, 'id' | 'needsWorkspace'>,
): Problem | undefined {
  return needsWorkspace && workspaceRoot === ''
    ? workspaceProblem('missing_workspace', { api: id }, { path: 'workspace' })
    : undefined
}

/**
 * Loads the operator's latest changes for this caller. Gives `credential_revoked`, or `rights_unknown` where they cannot be
 * loaded.
 */
export async function rightsNow({ caller }: Pick<EngineCall, 'caller'>): Promise<Problem | undefined> {
  try {
    const holds = await caller.refresh?.()
    return holds === false ? engineProblem('credential_revoked', {}) : undefined
  } catch {
    return engineProblem('rights_unknown', {})
  }
}
