import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { replaceFile } from '../../adapters/files/replace.ts'
import { fetchSource } from '../../adapters/catalogs/fetch-source.ts'
import { fileCatalogs } from '../../adapters/catalogs/files.ts'
import { settled, type CatalogInput } from '../../adapters/catalogs/settled.ts'
import { secretReader } from '../../adapters/wire/secrets.ts'
import { failed, ok, type Result } from '../../base/diagnostic.ts'
import { codeOf, reasonOf } from '../../base/errors.ts'
import { nearest } from '../../base/suggest.ts'
import { secretsOf } from '../../catalog/auth/auth.ts'
import { shownReference } from '../../catalog/auth/reference.ts'
import { changeLine, changesOf } from '../../catalog/changes.ts'
import { describeType } from '../../catalog/describe.ts'
import { indexOf } from '../../catalog/lookup.ts'
import type { Capability, ServedCatalog } from '../../catalog/model.ts'
import type { Reading } from '../../catalog/source.ts'
import { isUrl } from '../../config/catalog-entry.ts'
import { hasEntry } from '../../config/entries.ts'
import type { Config } from '../../config/read.ts'
import type { CatalogAdmin, ShownCatalog } from '../../surfaces/cli/dependencies.ts'
import { catalogInputs } from '../catalog-paths.ts'
import { dataDirFault } from '../data-dir.ts'
import { appProblem } from '../problems.ts'
import { addCatalog, removeCatalog } from './add.ts'
import { addServer } from './add-server.ts'
import { changeConfig } from './config-file.ts'
import { inFolder } from './copy.ts'
import { listedOf, sourceOfServer } from './listed.ts'
import { keptReadings, listedServers } from './listed-servers.ts'

/** What an operator changes and looks at in the catalogs of a configuration. */
export function catalogAdmin(place: {
  readonly config: Config
  readonly file: string
  readonly cwd: string
}): CatalogAdmin {
  const { config } = place
  return {
    add: writing(place, async (wanted, progress) => {
      const added = await addCatalog(wanted, { ...place, progress })
      if (!added.ok) return added
      const { id, reading, config: file, replaces, first } = added.value
      const listed = listedOf({ ...reading, id }, wanted.source)
      const secrets = await secretStates(reading)
      return ok({ ...listed, config: file, replaces, secrets, ...(first && { first }) })
    }),
    addServer: writing(place, (wanted, progress) => addServer(wanted, { ...place, progress })),
    remove: writing(place, (id) => removeCatalog(id, { ...place, progress: () => undefined })),
    list: async () => {
      const inputs = await catalogInputs(config)
      const { readings } = await fileCatalogs(inputs, { backends: config.backends })
      const catalogs = readings.map((reading, index) => listedOf(reading, sourceOf(inputs[index], reading)))
      return [...catalogs, ...(await listedServers(config))]
    },
    show: async (id) => {
      const server = (await keptReadings(config)).find(({ reading }) => reading.id === id)
      if (server) return shownServer(server)
      const found = await readingOf(id, config)
      return found.ok
        ? ok(shownOf(found.value.reading, sourceOf(found.value.input, found.value.reading)))
        : found
    },
    diff: (id, source) => diffOf(id, source, place),
    refresh: writing(place, (id) => refreshOf(id, place)),
  }
}

/** Work that writes the configuration or the data directory. Gives `data_dir_unusable` or `config_unwritable` as well. */
function writing<Given extends readonly unknown[], Value>(
  { config, file }: { readonly config: Config; readonly file: string },
  work: (...given: Given) => Promise<Result<Value>>,
): (...given: Given) => Promise<Result<Value>> {
  return async (...given) => {
    const unusable = (await dataDirFault(config.dataDir)) ?? (await dataDirFault(dirname(file)))
    if (unusable) return failed([unusable])
    try {
      return await work(...given)
    } catch (error) {
      // Only the system gives codes: anything else is a bug.
      if (codeOf(error) === undefined) throw error
      return failed([appProblem('config_unwritable', { file, reason: reasonOf(error) })])
    }
  }
}

function sourceOf(input: CatalogInput | undefined, { path }: Reading): string {
  return input?.address ?? path
}

async function secretStates({ catalog }: Reading) {
  const read = secretReader(process.env)
  const references = catalog ? secretsOf(catalog.auth) : []
  return Promise.all(
    references.map(async (reference) => ({
      reference: shownReference(reference),
      is_set: await read(reference).then(
        () => true,
        () => false,
      ),
    })),
  )
}

/** The catalog of this id, as it is served. Gives its errors, or `unknown_catalog`. */
async function readingOf(
  id: string,
  config: Config,
): Promise<Result<{ readonly reading: Reading; readonly input: CatalogInput }>> {
  const inputs = await catalogInputs(config)
  const { readings } = await fileCatalogs(inputs, { backends: config.backends })
  const at = readings.findIndex((reading) => reading.id === id)
  const [reading, input] = [readings[at], inputs[at]]
  const known = readings.map((one) => one.id)
  if (!reading || !input) return failed([appProblem('unknown_catalog', { id, similar: nearest(id, known) })])
  return reading.catalog ? ok({ reading, input }) : failed(reading.errors)
}

/** An MCP server by its last lists. Gives its errors, or `server_unlisted`. */
function shownServer({
  server,
  reading,
}: Awaited<ReturnType<typeof keptReadings>>[number]): Result<ShownCatalog> {
  if (reading.catalog) return ok({ ...shownOf(reading, sourceOfServer(server)), kind: 'mcp' })
  return failed(
    reading.errors.length > 0 ? reading.errors : [appProblem('server_unlisted', { name: server.name })],
  )
}

function shownOf(reading: Reading, source: string): ShownCatalog {
  const { catalog, why = [], operations } = reading
  const reasons = new Map(why.map(({ about, lines }) => [about, lines]))
  return {
    ...listedOf(reading, source),
    ...(catalog?.description !== undefined && { description: catalog.description }),
    content: (catalog?.entities ?? []).map((entity) => ({
      entity: entity.name,
      key: entity.key,
      fields: entity.fields.map(({ name, type }) => `${name} ${describeType(type)}`),
      relations: entity.relations.map(({ name, target, many }) => `${name} ${many ? `[${target}]` : target}`),
      why: reasons.get(entity.name) ?? [],
      capabilities: ownOf(catalog, entity.name).map((capability) => ({
        name: capability.name,
        label: capability.label,
        kind: capability.kind,
        effect: capability.effect,
        arguments: capability.parameters.map(
          ({ name, required, type }) => `${name}${required ? '' : '?'} ${describeType(type)}`,
        ),
        why: reasons.get(capability.name) ?? [],
      })),
    })),
    why: reasons.get(reading.id) ?? [],
    left: operations?.left ?? [],
  }
}

function ownOf(catalog: ServedCatalog | undefined, entity: string): readonly Capability[] {
  return catalog ? indexOf(catalog).capabilitiesOf(entity) : []
}

/** The secret of a catalog's calls, if there is exactly one and it is set. */
async function onlySecretOf({ catalog }: Reading): Promise<string | undefined> {
  const [reference, ...more] = catalog ? secretsOf(catalog.auth) : []
  if (reference === undefined || more.length > 0) return undefined
  return secretReader(process.env)(reference).catch(() => undefined)
}

/** Between the catalog as it is served and another source, or its address, which is fetched anew. */
async function diffOf(
  id: string,
  source: string | undefined,
  { config, cwd }: { readonly config: Config; readonly cwd: string },
): Promise<Result<readonly string[]>> {
  const found = await readingOf(id, config)
  if (!found.ok) return found
  const next = await nextOf(found.value, source ?? found.value.input.address, { config, cwd })
  return next.ok ? ok(next.value.changes) : next
}

/**
 * Takes over what the address of a catalog gives now. Gives `catalog_has_file`, the problems of the source, and
 * `catalog_replaced` if another command was first.
 */
async function refreshOf(
  id: string,
  { config, file, cwd }: { readonly config: Config; readonly file: string; readonly cwd: string },
): Promise<Result<readonly string[]>> {
  const found = await readingOf(id, config)
  if (!found.ok) return found
  const { path, address } = found.value.input
  if (address === undefined) return failed([appProblem('catalog_has_file', { id, path })])
  const before = await readFile(path, 'utf8')
  const next = await nextOf(found.value, address, { config, cwd })
  if (!next.ok) return next
  const { text: fetched, changes } = next.value
  if (fetched === undefined) return ok(changes)
  return changeConfig(file, async ({ text }) => {
    const isThere = hasEntry(text, id, address) && (await readFile(path, 'utf8')) === before
    if (!isThere) return failed([appProblem('catalog_replaced', { id })])
    await replaceFile(path, fetched)
    return ok(changes)
  })
}

/** What a catalog would be by another source, and the text of the source if it was fetched. */
interface NextCatalog {
  readonly changes: readonly string[]
  readonly text?: string
}

async function nextOf(
  { reading, input }: { readonly reading: Reading; readonly input: CatalogInput },
  source: string | undefined,
  { config, cwd }: { readonly config: Config; readonly cwd: string },
): Promise<Result<NextCatalog>> {
  const { id } = reading
  const other = source ?? input.path
  const read = (path: string) => settled({ ...input, path, id })
  const compared = (next: Reading, text?: string): Result<NextCatalog> =>
    next.catalog && reading.catalog
      ? ok({
          changes: changesOf(reading.catalog, next.catalog).map(changeLine),
          ...(text !== undefined && { text }),
        })
      : failed(next.errors)
  if (!isUrl(other)) return compared(await read(resolve(cwd, other)))
  const kind = other === input.address ? config.catalogs.find((entry) => entry.id === id)?.kind : undefined
  const fetched = await fetchSource(other, kind, () => onlySecretOf(reading))
  if (!fetched.ok) return fetched
  return compared(await inFolder(id, fetched.value, read), fetched.value.text)
}
