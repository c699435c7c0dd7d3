import type { Reader } from '../reader.ts'
import { readGraphql } from './read.ts'
import { isIntrospection } from './schema.ts'

const LANGUAGE = /\.(?:graphqls?|gql)$/i

/** GraphQL schemas: the result of an introspection query in JSON, or a document in the schema language. */
export const graphql: Reader = {
  accepts: 'a GraphQL schema (.graphql, or an introspection result in .json)',
  inFolder: () => undefined,
  isFile: (name, text) =>
    LANGUAGE.test(name) || (/\.json$/i.test(name) && (text === undefined || isIntrospection(text))),
  idOf: (name) => name.replace(LANGUAGE, '').replace(/\.json$/i, ''),
  hint: () => undefined,
  read: ({ path, id, files: [file] }) => readGraphql({ path, id, ...file }),
}
