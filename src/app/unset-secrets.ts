import type { Problem } from '../base/diagnostic.ts'
import type { ServedCatalog } from '../catalog/model.ts'
import { secretsOf } from '../catalog/auth/auth.ts'
import { shownReference } from '../catalog/auth/reference.ts'
import { appProblem } from './problems.ts'

/** The secrets that calls of these catalogs need and that cannot be read: `secret_unset` for each. */
export async function unsetSecrets(
  catalogs: Iterable<ServedCatalog>,
  secretOf: (reference: string) => Promise<string>,
): Promise<readonly Problem[]> {
  const problems: Problem[] = []
  for (const { id, auth } of catalogs) {
    for (const reference of secretsOf(auth)) {
      const isSet = await secretOf(reference).then(
        () => true,
        () => false,
      )
      if (!isSet)
        problems.push(appProblem('secret_unset', { catalog: id, secret: shownReference(reference) }))
    }
  }
  return problems
}
