import { stat } from 'node:fs/promises'
import { catalogFiles } from '../../adapters/catalogs/catalog-files.ts'
import { type FileCatalogs, fileCatalogs } from '../../adapters/catalogs/files.ts'
import type { CatalogInput } from '../../adapters/catalogs/settled.ts'
import type { Problem, Result } from '../../base/diagnostic.ts'
import { type CatalogSet, catalogSet } from '../../catalog/lookup.ts'
import type { CatalogSource } from '../../catalog/source.ts'
import type { CatalogEntry } from '../../config/catalog-entry.ts'
import type { Config } from '../../config/read.ts'
import { catalogInputs } from '../catalog-paths.ts'
import { every } from '../every.ts'
import { appProblem } from '../problems.ts'

/** How often files are looked at. */
const LOOK_MS = 1000
const ABSENT = 'absent'

/** Catalogs that follow their files and the configuration. */
export interface LiveCatalogs {
  readonly source: CatalogSource
  readonly readings: FileCatalogs['readings']
  readonly problems: readonly Problem[]
  /** The entries of the configuration as it was last read. */
  readonly entries: () => readonly CatalogEntry[]
  readonly shutDown: () => Promise<void>
}

/**
 * Loads the catalogs of a configuration, and loads them again when a file or the list of catalogs changes. A catalog that
 * cannot be read any more is served as it was; other settings take effect at the next start.
 *
 * @param again reads the configuration anew; absent if it does not change
 * @param report what could not be read: one line each
 */
export async function liveCatalogs(
  config: Config,
  again: (() => Promise<Result<Config>>) | undefined,
  report: (line: string) => void,
): Promise<LiveCatalogs> {
  let current = config
  let inputs = await catalogInputs(config)
  let seen = await stateOf(inputs)
  const first = await fileCatalogs(inputs, { backends: config.backends })
  let set = first.source.current()
  let refused = ''
  const look = async () => {
    const next = again ? await again() : undefined
    if (next?.ok) current = next.value
    const wrong = next && !next.ok ? next.problems.map(({ code, message }) => `${code}: ${message}`) : []
    // Once for each state of the configuration.
    if (wrong.join('\n') !== refused) for (const line of wrong) report(line)
    refused = wrong.join('\n')
    inputs = await catalogInputs(current)
    const state = await stateOf(inputs)
    if (state === seen) return
    const { source, readings } = await fileCatalogs(inputs, { backends: current.backends })
    for (const { path, errors } of readings)
      for (const { code, message } of errors) report(`${path}: ${code}: ${message}`)
    const failed = readings.filter(({ catalog }) => !catalog).map(({ id }) => id)
    set = withKept(source.current(), set, failed)
    // Of before the reading: what is replaced meanwhile is read at the next look.
    seen = state
  }
  const stop = every(LOOK_MS, look)
  return {
    source: { current: () => set },
    readings: first.readings,
    problems: [...(await missing(config.catalogFlags)), ...first.problems],
    entries: () => current.catalogs,
    shutDown: async () => stop(),
  }
}

/** The paths of the command line that lead nowhere: slips, unlike a file that is only wrong. */
async function missing(paths: readonly string[]): Promise<readonly Problem[]> {
  const states = await Promise.all(paths.map(stampOf))
  return paths.filter((_, at) => states[at] === ABSENT).map((path) => appProblem('catalog_missing', { path }))
}

/** The new set; catalogs that could not be read are kept as they were. */
function withKept(next: CatalogSet, before: CatalogSet, failed: readonly string[]): CatalogSet {
  const kept = failed.flatMap((id) => {
    const old = before.byId.get(id)
    return old && !next.byId.has(id) ? [old] : []
  })
  return catalogSet([...kept, ...next.byId.values()])
}

/** The settings of the catalogs, and the time and size of their files. */
async function stateOf(inputs: readonly CatalogInput[]): Promise<string> {
  const files = await Promise.all(
    inputs.flatMap(({ path, overlay }) => [
      filesAt(path),
      ...(overlay === undefined ? [] : [stampOf(overlay)]),
    ]),
  )
  return JSON.stringify([inputs, files])
}

async function filesAt(path: string): Promise<readonly string[]> {
  const files = await catalogFiles(path).catch(() => [])
  return Promise.all([path, ...files].map(stampOf))
}

async function stampOf(path: string): Promise<string> {
  try {
    const { mtimeMs, size, ino } = await stat(path)
    return `${mtimeMs} ${size} ${ino}`
  } catch {
    return ABSENT
  }
}
