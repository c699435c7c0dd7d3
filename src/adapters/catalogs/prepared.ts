import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { freeze } from '../../base/freeze.ts'
import { sha256 } from '../../base/hash.ts'
import type { ServedCatalog } from '../../catalog/model.ts'
import type { Reading } from '../../catalog/source.ts'

/** The reading of a catalog's folder, kept as a file: reading its YAML takes longer than the rest of a start. */
interface Prepared {
  /** SHA-256 of each file of the folder, by name. */
  readonly files: Readonly<Record<string, string>>
  readonly catalog: ServedCatalog
  readonly digest: string
}

/** The text of the file that keeps a reading without problems. */
export async function prepared({ path, catalog, digest, errors, warnings }: Reading): Promise<string> {
  const [first] = [...errors, ...warnings]
  if (first) throw new Error(`${path}: ${first.message}`)
  if (!catalog || digest === undefined) throw new Error(`${path}: the reading has no catalog`)
  const kept: Prepared = { files: await hashesOf(path), catalog, digest }
  return JSON.stringify(kept)
}

/** The reading in a kept file; undefined if a file of the catalog's folder has changed since. */
export async function preparedReading(path: string, file: string): Promise<Reading | undefined> {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the file is part of this package, as its code is
  const { files, catalog, digest } = JSON.parse(await readFile(file, 'utf8')) as Prepared
  const now = await hashesOf(path)
  const isSame = Object.keys({ ...files, ...now }).every((name) => files[name] === now[name])
  return isSame
    ? { path, id: catalog.id, catalog: freeze(catalog), digest, errors: [], warnings: [] }
    : undefined
}

async function hashesOf(folder: string): Promise<Prepared['files']> {
  const names = await readdir(folder)
  const hashed = names.map(async (name) => [name, sha256(await readFile(join(folder, name)))] as const)
  return Object.fromEntries(await Promise.all(hashed))
}
