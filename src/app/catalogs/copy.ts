import { join } from 'node:path'
import type { CatalogFormat } from '../../catalog/format.ts'

/** The copies of fetched sources. */
const COPIES: Record<CatalogFormat, { readonly extension: string; readonly hasTitle: boolean }> = {
  // JSON is YAML as well.
  openapi: { extension: 'yaml', hasTitle: true },
  plasm: { extension: 'yaml', hasTitle: true },
  graphql: { extension: 'graphql', hasTitle: false },
}
const USUAL = 'yaml'

/** The path of the copy of a fetched source. Entries without a format have the usual extension. */
export function copyPath(id: string, format: CatalogFormat | undefined, dataDir: string): string {
  const extension = format === undefined ? USUAL : COPIES[format].extension
  return join(dataDir, 'catalogs', `${id}.${extension}`)
}

/** Whether the path of the copy depends on the format: its entry has to name the format. */
export function isFoundByFormat(format: CatalogFormat): boolean {
  return COPIES[format].extension !== USUAL
}

/** The title of a fetched document, by a look at its start: it is read as a whole later, in a thread. */
export function titleIn(format: CatalogFormat, text: string): string | undefined {
  if (!COPIES[format].hasTitle) return undefined
  const start = text.slice(0, LOOKED_AT)
  return /^\s*"?title"?\s*:\s*["']?([^"'\n]{1,200})/m.exec(start.replaceAll(/[{,]/g, '\n'))?.[1]
}

/** The title of a document stands near its start. */
const LOOKED_AT = 20_000
