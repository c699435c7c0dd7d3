import { readCatalogPath } from '../adapters/catalogs/settled.ts'
import { secretReader } from '../adapters/wire/secrets.ts'
import { checkReport, type CheckReport } from '../catalog/report.ts'
import { unsetSecrets } from './unset-secrets.ts'

/** Reads catalogs and reports the problems of each; a secret that is not set in this environment is a warning. */
export async function checkCatalogs(paths: readonly string[]): Promise<readonly CheckReport[]> {
  const secretOf = secretReader(process.env)
  return Promise.all(
    paths.map(async (path) => {
      const reading = await readCatalogPath(path)
      const unset = await unsetSecrets(reading.catalog ? [reading.catalog] : [], secretOf)
      return checkReport({ ...reading, warnings: [...reading.warnings, ...unset] })
    }),
  )
}
