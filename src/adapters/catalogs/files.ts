import { nearest } from '../../base/suggest.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { pin } from '../../catalog/digest.ts'
import { catalogSet, type CatalogSet } from '../../catalog/lookup.ts'
import type { Catalog } from '../../catalog/model.ts'
import { parseOrigin } from '../../catalog/origin.ts'
import { problem } from '../../catalog/problems.ts'
import type { CatalogSource, Reading } from '../../catalog/source.ts'
import { readCatalogPath } from './read-path.ts'

export { readCatalogPath } from './read-path.ts'

export interface FileCatalogsOptions {
  /** Origins that replace those of the catalogs, by catalog id. They are part of the digest. */
  readonly backends?: Readonly<Record<string, string>>
}

/** Catalogs that are read from files. */
export interface FileCatalogs {
  readonly source: CatalogSource
  /** The last reading of each path, in the order of the paths. */
  readonly readings: () => readonly Reading[]
  /** Problems of the options. */
  readonly problems: readonly Problem[]
  /**
   * Reads all paths again and replaces the set in one step; if no digest changed, the set stays the same object.
   * A catalog that can no longer be read keeps its last model.
   */
  readonly reload: () => Promise<readonly Reading[]>
}

/** Loads the catalogs at these paths. If two have the same id, the first is used and the second's reading has an error. */
export async function fileCatalogs(
  paths: readonly string[],
  options: FileCatalogsOptions = {},
): Promise<FileCatalogs> {
  const backends = new Map(Object.entries(options.backends ?? {}))
  let readings: readonly Reading[] = []
  let set: CatalogSet = catalogSet([])
  let held: ReadonlyMap<string, Catalog> = new Map()
  let turn: Promise<unknown> = Promise.resolve()
  const load = async () => {
    readings = withoutTwins(
      await Promise.all(paths.map(async (path) => moved(await readCatalogPath(path), backends))),
    )
    const kept = readings.flatMap((reading) => {
      const catalog =
        reading.catalog ??
        (reading.errors.some(({ code }) => code === 'catalog_twice') ? undefined : held.get(reading.path))
      return catalog ? [[reading.path, catalog] as const] : []
    })
    held = new Map(kept)
    const next = catalogSet([...held.values()].map(pin))
    if (!sameDigests(set, next)) set = next
    return readings
  }
  // Reloads are queued, so that an older reading never replaces a newer one.
  const reload = () => {
    const mine = turn.then(load)
    turn = mine.catch(() => undefined)
    return mine
  }
  await reload()
  return {
    source: { current: () => set },
    readings: () => readings,
    problems: faults(backends, readings),
    reload,
  }
}

function moved(reading: Reading, backends: ReadonlyMap<string, string>): Reading {
  const origin = parseOrigin(backends.get(reading.id) ?? '')
  if (!reading.catalog || origin === undefined) return reading
  return { ...reading, catalog: Object.freeze({ ...reading.catalog, origin }) }
}

function withoutTwins(readings: readonly Reading[]): Reading[] {
  const first = new Map<string, string>()
  return readings.map((reading) => {
    if (!reading.catalog) return reading
    const { catalog: _catalog, ...rest } = reading
    const taken = first.get(reading.id)
    first.set(reading.id, taken ?? reading.path)
    if (taken === undefined) return reading
    const error = problem(
      'catalog_twice',
      { id: reading.id, first: taken, second: reading.path },
      { file: reading.path },
    )
    return { ...rest, errors: [...reading.errors, error] }
  })
}

function faults(backends: ReadonlyMap<string, string>, readings: readonly Reading[]): Problem[] {
  const ids = readings.map(({ id }) => id)
  return [...backends].flatMap(([id, origin]): Problem[] => {
    if (parseOrigin(origin) === undefined)
      return [problem('bad_url', { where: `the origin for \`${id}\``, value: origin.slice(0, 200) })]
    if (ids.includes(id)) return []
    const near = nearest(id, ids)
    return [problem('unknown_backend', { id, nearest: near }, { nearest: near })]
  })
}

function sameDigests(a: CatalogSet, b: CatalogSet): boolean {
  return (
    a.byId.size === b.byId.size && [...a.byId].every(([id, { digest }]) => b.byId.get(id)?.digest === digest)
  )
}
