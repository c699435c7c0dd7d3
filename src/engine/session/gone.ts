import type { Problem } from '../../base/diagnostic.ts'
import type { CatalogSet } from '../../catalog/lookup.ts'
import { servedNow } from '../../catalog/served.ts'
import type { Operation, Plan } from '../../language/plan/plan.ts'
import { engineProblem } from '../problems.ts'
import { calledIn } from '../../execution/invocation.ts'
import type { Derived } from '../memory/models.ts'

/**
 * What a plan would call and is not served now, as far as the plan names it: `catalog_gone`, `capability_gone` or
 * `capability_changed`, each once. Reads that only the rows decide on are checked when they are sent.
 */
export function goneFrom(set: CatalogSet, { model }: Pick<Derived, 'model'>, { nodes }: Plan): Problem[] {
  const found = new Map<string, Problem>()
  for (const { entity, operation, span } of nodes) {
    const capability = capabilityIn(operation)
    if (!entity || capability === undefined) continue
    const { catalog, digest } = entity
    const pinned = { catalog: model(digest), digest }
    const now = servedNow(set, pinned, capability)
    if ('served' in now) continue
    const problem = engineProblem(now.gone, { catalog, called: calledIn(pinned, capability) }, { span })
    if (!found.has(problem.message)) found.set(problem.message, problem)
  }
  return [...found.values()]
}

function capabilityIn(operation: Operation): string | undefined {
  const one = operation.kind === 'each' ? operation.body : operation
  return 'capability' in one ? one.capability : undefined
}
