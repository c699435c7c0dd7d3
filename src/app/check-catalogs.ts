import { readCatalogPath } from '../adapters/catalogs/read-path.ts'
import { checkReport, type CheckReport } from '../catalog/report.ts'

/** Reads catalogs and says what is right and wrong with each. */
export async function checkCatalogs(paths: readonly string[]): Promise<readonly CheckReport[]> {
  return (await Promise.all(paths.map((path) => readCatalogPath(path)))).map(checkReport)
}
