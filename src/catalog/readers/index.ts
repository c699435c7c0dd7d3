import { freeze } from '../../base/freeze.ts'
import { openapi } from './openapi/reader.ts'
import { graphql } from './graphql/reader.ts'
import { plasm } from './plasm/reader.ts'
import type { Reader } from './reader.ts'
import { withUnixTimes } from './unix-times.ts'

/** The readers of catalogs; the first that accepts a path reads it. A new format is one folder here and one line. */
export const readers: readonly Reader[] = [openapi, plasm, graphql].map(dated)

function dated(reader: Reader): Reader {
  return {
    ...reader,
    read: async (source) => {
      const { catalog, ...reading } = await reader.read(source)
      return { ...reading, ...(catalog && { catalog: freeze(withUnixTimes(catalog)) }) }
    },
  }
}
