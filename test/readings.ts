import { readCatalogPath } from '../src/adapters/catalogs/files.ts'
import type { Reading } from '../src/catalog/source.ts'

const readings = new Map<string, Promise<Reading>>()

/** The reading of a catalog that no test changes: once for all files of a worker, since many tests ask the same catalogs. */
export function readingOf(path: string): Promise<Reading> {
  const reading = readings.get(path) ?? readCatalogPath(path)
  readings.set(path, reading)
  return reading
}
