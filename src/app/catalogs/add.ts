import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { replaceFile } from '../../adapters/files/replace.ts'
import { fetchSource, type FetchedSource } from '../../adapters/catalogs/fetch-source.ts'
import { listingPath } from '../../adapters/mcp/kept-listings.ts'
import { settled } from '../../adapters/catalogs/settled.ts'
import { secretReader } from '../../adapters/wire/secrets.ts'
import { failed, ok, type Problem, type Result } from '../../base/diagnostic.ts'
import { nearest } from '../../base/suggest.ts'
import { withSecret } from '../../catalog/auth/setting.ts'
import type { Auth } from '../../catalog/auth/auth.ts'
import type { Reading } from '../../catalog/source.ts'
import { isUrl } from '../../config/catalog-entry.ts'
import { withEntry, withoutEntry, withoutServer, type WrittenEntry } from '../../config/entries.ts'
import type { Config } from '../../config/read.ts'
import type { WantedCatalog } from '../../surfaces/cli/dependencies.ts'
import { replacesShipped } from '../catalog-paths.ts'
import { listingsIn } from '../mcp.ts'
import { appProblem } from '../problems.ts'
import { changeConfig } from './config-file.ts'
import { copyPath, inFolder, isFoundByFormat, titleIn } from './copy.ts'
import { firstRead, type FirstRead } from './first-read.ts'
import { idFor } from './ids.ts'

export interface Added {
  readonly id: string
  readonly config: string
  readonly reading: Reading
  readonly replaces: boolean
  readonly first?: FirstRead
}

/** Where a catalog is added: the configuration as it is, its file, and this process's directory. */
export interface Place {
  readonly config: Config
  readonly file: string
  readonly cwd: string
  readonly progress: (line: string) => void
}

/**
 * Adds a catalog to the configuration: reads its source (an address once: the document, or the schema of the GraphQL server
 * there; the copy is kept in the data directory), and writes one entry. If anything is wrong, nothing is changed.
 *
 * Gives the problems of the source, `catalog_exists`, `bad_catalog_id` or `auth_needs_more`.
 */
export async function addCatalog(wanted: WantedCatalog, place: Place): Promise<Result<Added>> {
  const { config, file, cwd, progress } = place
  const source = isUrl(wanted.source) ? wanted.source : resolve(cwd, wanted.source)
  let copied: FetchedSource | undefined
  if (isUrl(source)) {
    progress(`Fetching ${source}`)
    const fetched = await fetchSource(source, wanted.kind, () => secretOf(wanted.auth))
    if (!fetched.ok) return fetched
    copied = fetched.value
  }
  const id = wanted.id ?? idFor(source, copied && titleIn(copied.kind, copied.text))
  const wrong = idProblem(id, config)
  if (wrong) return failed([wrong])
  progress('Reading the document')
  const server = wanted.server === undefined ? {} : { server: wanted.server }
  const overlay = wanted.overlay === undefined ? {} : { overlay: resolve(cwd, wanted.overlay) }
  const address = copied === undefined ? {} : { address: source }
  const settings = { id, ...address, ...overlay, ...server }
  const reading = copied
    ? await inFolder(id, copied, (path) => settled({ path, ...settings }))
    : await settled({ path: source, ...settings })
  if (!reading.catalog) return failed(reading.errors)
  const auth = wanted.auth === undefined ? undefined : authBy(wanted.auth, reading.catalog.auth)
  if (wanted.auth !== undefined && !auth)
    return failed([appProblem('auth_needs_more', { scheme: reading.catalog.auth.scheme })])
  const kind = copied && isFoundByFormat(copied.kind) ? copied.kind : wanted.kind
  const entry: WrittenEntry = {
    id,
    source,
    ...(kind !== undefined && { kind }),
    ...overlay,
    ...server,
    ...(auth && { auth: settingOf(auth) }),
  }
  const isAdded = await changeConfig(file, async ({ text, replace }) => {
    const next = withEntry(text, entry)
    if (next === undefined) return false
    // First the copy: an entry never names one that is not there.
    if (copied) await replaceFile(copyPath(id, copied.kind, config.dataDir), copied.text)
    await replace(next)
    return true
  })
  if (!isAdded) return failed([appProblem('catalog_exists', { id })])
  const catalog = auth ? { ...reading.catalog, auth } : reading.catalog
  const first = firstRead(catalog)
  const replaces = await replacesShipped(id, config)
  return ok({ id, config: file, reading: { ...reading, catalog }, replaces, ...(first && { first }) })
}

/**
 * Removes a catalog or an MCP server from the configuration, and the copy of its document or of its lists. Gives
 * `unknown_catalog`.
 */
export async function removeCatalog(
  id: string,
  { config, file }: Place,
): Promise<Result<{ readonly id: string }>> {
  return changeConfig(file, async ({ text, replace }) => {
    const next = withoutEntry(text, id) ?? withoutServer(text, id)
    if (next === undefined)
      return failed([appProblem('unknown_catalog', { id, similar: nearest(id, namesOf(config)) })])
    await replace(next)
    await rm(listingPath(listingsIn(config.dataDir), id), { force: true })
    const kind = config.catalogs.find((entry) => entry.id === id)?.kind
    await rm(copyPath(id, kind, config.dataDir), { force: true })
    return ok({ id })
  })
}

/** The names in the configuration. */
function namesOf({ catalogs, mcpServers }: Config): string[] {
  return [...catalogs.flatMap(({ id }) => id ?? []), ...mcpServers.map(({ name }) => name)]
}

/** Why a new catalog or server cannot have this id. */
export function idProblem(id: string, config: Config): Problem | undefined {
  if (!/^[A-Za-z][\w.-]{0,63}$/.test(id)) return appProblem('bad_catalog_id', { id })
  return namesOf(config).includes(id) ? appProblem('catalog_exists', { id }) : undefined
}

/** The credential that `--auth` asks for; undefined if the scheme of the API needs more than one secret. */
function authBy(reference: string, auth: Auth): Auth | undefined {
  return reference === 'none' ? { scheme: 'none' } : withSecret(auth, reference)
}

async function secretOf(reference: string | undefined): Promise<string | undefined> {
  if (reference === undefined || reference === 'none') return undefined
  return secretReader(process.env)(reference).catch(() => undefined)
}

/** A credential with one secret, as the configuration writes it. */
function settingOf(auth: Auth): object {
  if (auth.scheme === 'bearer' || auth.scheme === 'api_key_path')
    return { scheme: auth.scheme, secret: auth.secret }
  if (auth.scheme !== 'api_key') return { scheme: auth.scheme }
  return { scheme: auth.scheme, in: auth.in, name: auth.name, secret: auth.secret }
}
