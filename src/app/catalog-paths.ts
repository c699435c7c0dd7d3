import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Config } from '../config/read.ts'

/** The catalogs to load: those of the configuration, then the shipped ones unless the configuration excludes them. */
export async function catalogPaths(config: Config): Promise<readonly string[]> {
  return [...config.catalogs, ...(config.shipped ? await shippedCatalogs() : [])]
}

/** The folders beside the adapter of catalogs. */
async function shippedCatalogs(): Promise<string[]> {
  const home = fileURLToPath(new URL('../adapters/catalogs/shipped/', import.meta.url))
  const entries = await readdir(home, { withFileTypes: true })
  return entries.filter((entry) => entry.isDirectory()).map((entry) => join(home, entry.name))
}
