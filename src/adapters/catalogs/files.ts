import { nearest } from '../../base/suggest.ts'
import type { Problem } from '../../base/diagnostic.ts'
import { digestOf } from '../../catalog/digest.ts'
import { catalogSet } from '../../catalog/lookup.ts'
import { parseOrigin } from '../../catalog/origin.ts'
import { problem } from '../../catalog/problems.ts'
import type { CatalogSource, Reading } from '../../catalog/source.ts'
import { settled, type CatalogInput } from './settled.ts'

export { readCatalogPath } from './settled.ts'

export interface FileCatalogsOptions {
  /** Origins that replace the catalogs' own, by catalog id. */
  readonly backends?: Readonly<Record<string, string>>
}

/** Catalogs read from files. */
export interface FileCatalogs {
  readonly source: CatalogSource
  /** The result of reading each, in their order. */
  readonly readings: readonly Reading[]
  /** Problems of the options. */
  readonly problems: readonly Problem[]
}

/** Loads these catalogs. If two have the same id, the first is served and the reading of the other fails. */
export async function fileCatalogs(
  inputs: readonly (string | CatalogInput)[],
  options: FileCatalogsOptions = {},
): Promise<FileCatalogs> {
  const backends = new Map(Object.entries(options.backends ?? {}))
  const readings = withoutTwins(
    await Promise.all(
      inputs.map(async (input) =>
        moved(await settled(typeof input === 'string' ? { path: input } : input), backends),
      ),
    ),
  )
  const set = catalogSet(
    readings.flatMap(({ catalog, digest = catalog && digestOf(catalog) }) =>
      catalog && digest !== undefined ? [{ catalog, digest }] : [],
    ),
  )
  return { source: { current: () => set }, readings, problems: faults(backends, readings) }
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
