import { freeze } from '../../base/freeze.ts'
import type { CatalogFormat } from '../format.ts'
import { openapi } from './openapi/reader.ts'
import { graphql } from './graphql/reader.ts'
import { plasm } from './plasm/reader.ts'
import type { Reader } from './reader.ts'
import { withUnixTimes } from './unix-times.ts'

/** One reader per format. `plasm` accepts every `.yaml` file: formats with a narrower test come before it. */
const BY_FORMAT = { openapi, plasm, graphql } satisfies Record<CatalogFormat, Reader>

/** The readers of catalogs; the first that accepts a path reads it. */
export const readers: readonly Reader[] = Object.values(BY_FORMAT).map(dated)

/** The files of a folder with these entries that its reader reads; undefined if no reader accepts the folder. */
export function inFolder(
  names: readonly string[],
): { readonly reader: Reader; readonly files: readonly string[] } | undefined {
  for (const reader of readers) {
    const files = reader.inFolder(names)
    if (files) return { reader, files }
  }
  return undefined
}

function dated(reader: Reader): Reader {
  return {
    ...reader,
    read: async (source) => {
      const { catalog, ...reading } = await reader.read(source)
      return { ...reading, ...(catalog && { catalog: freeze(withUnixTimes(catalog)) }) }
    },
  }
}
