import { readFile } from 'node:fs/promises'
import type { Embedder } from '../../discovery/embedder.ts'
import { readTable, staticEmbedder } from './static-table.ts'

/** The table beside this file; `npm run discovery:vectors` builds it. */
const TABLE = new URL('table.bin', import.meta.url)

let loaded: Promise<Embedder> | undefined

/** The embedder of the shipped table, read on first use: 4 MB that most commands do not need. */
export function loadEmbedder(): Promise<Embedder> {
  return (loaded ??= readFile(TABLE).then((bytes) => staticEmbedder(readTable(bytes))))
}
