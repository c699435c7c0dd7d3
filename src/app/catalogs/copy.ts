import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { FetchedSource } from '../../adapters/catalogs/fetch-source.ts'
import { replaceFile } from '../../adapters/files/replace.ts'
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

/** Does work with a copy of a fetched source in a folder of its own, which is gone afterwards. */
export async function inFolder<Done>(
  id: string,
  { kind, text }: FetchedSource,
  work: (path: string) => Promise<Done>,
): Promise<Done> {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-copy-'))
  try {
    const path = copyPath(id, kind, folder)
    await replaceFile(path, text)
    return await work(path)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
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
