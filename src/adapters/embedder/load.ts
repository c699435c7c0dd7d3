import { readFile } from 'node:fs/promises'
import type { WordTable } from '../../discovery/embedder.ts'
import { readTable, wordTable } from './static-table.ts'

/** The table beside this file; `npm run discovery:vectors` builds it. */
const TABLE = new URL('table.bin', import.meta.url)

let loaded: Promise<WordTable> | undefined

/** The embedder of the shipped table, read on first use: 4 MB that most commands do not need. */
export function loadWordTable(): Promise<WordTable> {
  return (loaded ??= readFile(TABLE).then((bytes) => wordTable(readTable(bytes))))
}
