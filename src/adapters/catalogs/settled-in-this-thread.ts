import { freeze } from '../../base/freeze.ts'
import type { Auth } from '../../catalog/auth/auth.ts'
import { corrected } from '../../catalog/corrections/apply.ts'
import type { Corrections } from '../../catalog/corrections/setting.ts'
import { digestOf } from '../../catalog/digest.ts'
import { parseOrigin } from '../../catalog/origin.ts'
import type { Reading } from '../../catalog/source.ts'
import { type ReadAs, readCatalogInThisThread } from './read-in-this-thread.ts'

/** A catalog to load, and what the operator changes of it. */
export interface CatalogInput extends ReadAs {
  readonly path: string
  /** The address of the API, in place of the catalog's own. */
  readonly server?: string
  readonly auth?: Auth
  readonly corrections?: Corrections
  /** The file with the reading that the build made of a shipped catalog; the operator has no settings for such a catalog. */
  readonly prepared?: string
}

/**
 * Reads a catalog and applies the operator's settings: address, credential and corrections. In this thread, for as long as it
 * takes. Never rejects: the reading lists the errors.
 */
export async function settledInThisThread(input: CatalogInput): Promise<Reading> {
  const { path, server, auth, corrections, ...as } = input
  const reading = await readCatalogInThisThread(path, as)
  if (!reading.catalog) return reading
  const fixed = corrections
    ? corrected(reading.catalog, corrections)
    : { catalog: reading.catalog, warnings: [] }
  const origin = parseOrigin(server ?? '')
  const catalog = freeze({
    ...fixed.catalog,
    ...(as.id !== undefined && { id: as.id }),
    ...(origin !== undefined && { origin }),
    ...(auth && { auth }),
  })
  const warnings = reading.warnings.filter(({ code }) => code !== 'server_missing' || origin === undefined)
  return {
    ...reading,
    id: catalog.id,
    catalog,
    digest: digestOf(catalog),
    warnings: [...warnings, ...fixed.warnings],
  }
}
