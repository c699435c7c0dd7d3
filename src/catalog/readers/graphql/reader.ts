import type { Reader } from '../reader.ts'
import { isIntrospection } from './introspection.ts'

const LANGUAGE = /\.(?:graphqls?|gql)$/i

/** GraphQL schemas: the result of an introspection query in JSON, or a document in the schema language. */
export const graphql: Reader = {
  accepts: 'a GraphQL schema (.graphql, or an introspection result in .json)',
  inFolder: () => undefined,
  isFile: (name, text) =>
    LANGUAGE.test(name) || (/\.json$/i.test(name) && (text === undefined || isIntrospection(text))),
  idOf: (name) => name.replace(LANGUAGE, '').replace(/\.json$/i, ''),
  hint: () => undefined,
  read: async ({ path, id, files: [file] }) => {
    const { readGraphql } = await import('./read.ts')
    return readGraphql({ path, id, ...file })
  },
}
