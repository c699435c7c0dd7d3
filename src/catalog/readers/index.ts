import { freeze } from '../../base/freeze.ts'
import { CATALOG_FORMATS, type CatalogFormat } from '../format.ts'
import { openapi } from './openapi/reader.ts'
import { graphql } from './graphql/reader.ts'
import { plasm } from './plasm/reader.ts'
import type { Reader } from './reader.ts'
import { withUnixTimes } from './unix-times.ts'

const BY_FORMAT: Readonly<Record<CatalogFormat, Reader>> = { openapi, graphql, plasm }

/** The readers of catalogs, in the order of formats; the first that accepts a path reads it. */
export const readers: readonly Reader[] = CATALOG_FORMATS.map((format) => dated(BY_FORMAT[format]))

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
