import { readdir } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { CatalogInput } from '../adapters/catalogs/settled.ts'
import { type CatalogEntry, isUrl } from '../config/catalog-entry.ts'
import type { Config } from '../config/read.ts'
import { copyPath } from './catalogs/copy.ts'

/**
 * The catalogs to load: those of the configuration, then the shipped ones unless the configuration excludes them. What the
 * configuration names, catalog or MCP server, takes the place of a shipped catalog with the same id.
 */
export async function catalogInputs(config: Config): Promise<readonly CatalogInput[]> {
  const own = config.catalogs.map((entry) => inputOf(entry, config.dataDir))
  const named = new Set([...own.map(({ id }) => id), ...config.mcpServers.map(({ name }) => name)])
  const shipped = config.shipped ? await shippedCatalogs() : []
  return [...own, ...shipped.filter(({ path }) => !named.has(basename(path)))]
}

/** Does a new entry of the configuration with this id take the place of a shipped catalog? */
export async function replacesShipped(id: string, { shipped }: Config): Promise<boolean> {
  return shipped && (await shippedCatalogs()).some(({ path }) => basename(path) === id)
}

/** What an entry means to load. An address stands for the copy that `plasmid add` made of it. */
function inputOf(entry: CatalogEntry, dataDir: string): CatalogInput {
  const { source, kind, ...rest } = entry
  const isCopied = isUrl(source) && rest.id !== undefined
  return isCopied
    ? { ...rest, path: copyPath(rest.id ?? '', kind, dataDir), address: source }
    : { ...rest, path: source }
}

/** The folders beside the adapter of catalogs, each with the reading that the build wrote beside it. */
async function shippedCatalogs(): Promise<CatalogInput[]> {
  const home = fileURLToPath(new URL('../adapters/catalogs/shipped/', import.meta.url))
  const entries = await readdir(home, { withFileTypes: true })
  const names = new Set(entries.map(({ name }) => name))
  return entries
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => ({
      path: join(home, name),
      ...(names.has(`${name}.json`) && { prepared: join(home, `${name}.json`) }),
    }))
}
