import { freeze } from '../../base/freeze.ts'
import type { Auth } from '../../catalog/auth/auth.ts'
import { corrected } from '../../catalog/corrections/apply.ts'
import type { Corrections } from '../../catalog/corrections/setting.ts'
import { parseOrigin } from '../../catalog/origin.ts'
import type { Reading } from '../../catalog/source.ts'
import { readCatalogAs } from './read-path.ts'
import type { ReadAs } from './read-here.ts'

/** A catalog to load, and what the operator changes of it. */
export interface CatalogInput extends ReadAs {
  readonly path: string
  /** The address of the API, in place of the catalog's own. */
  readonly server?: string
  readonly auth?: Auth
  readonly corrections?: Corrections
}

/** Reads a catalog and applies the operator's settings: address, credential and corrections. */
export async function settled(input: CatalogInput): Promise<Reading> {
  const { path, server, auth, corrections, ...as } = input
  const reading = await readCatalogAs(path, as)
  if (!reading.catalog) return reading
  const fixed = corrections
    ? corrected(reading.catalog, corrections)
    : { catalog: reading.catalog, warnings: [] }
  const origin = parseOrigin(server ?? '')
  const catalog = {
    ...fixed.catalog,
    ...(as.id !== undefined && { id: as.id }),
    ...(origin !== undefined && { origin }),
    ...(auth && { auth }),
  }
  const warnings = reading.warnings.filter(({ code }) => code !== 'server_missing' || origin === undefined)
  return { ...reading, id: catalog.id, catalog: freeze(catalog), warnings: [...warnings, ...fixed.warnings] }
}
