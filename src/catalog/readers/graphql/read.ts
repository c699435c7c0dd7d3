import { freeze } from '../../../base/freeze.ts'
import type { Problem } from '../../../base/diagnostic.ts'
import { lint } from '../../lint/lint.ts'
import type { ServedCatalog } from '../../model.ts'
import { parseOrigin } from '../../origin.ts'
import type { Reading } from '../../source.ts'
import type { Endpoint } from './calls.ts'
import { readParts } from './parts.ts'
import { rule } from './problems.ts'
import { readSchema } from './schema.ts'
import { proseOf } from './types.ts'

interface GraphqlSource {
  readonly path: string
  readonly id: string
  readonly file: string
  readonly text: string
}

/**
 * Reads a GraphQL schema: types with an identity become entities, fields of the query type gets, queries and searches, lists
 * inside entities relations, mutations writes. The selection of a call is made when it is sent, from what is asked for.
 */
export function readGraphql({ path, id, file, text }: GraphqlSource): Reading {
  const read = readSchema(text)
  const refused = (found: Problem): Reading => ({ path, id, errors: [{ ...found, file }], warnings: [] })
  if (!read.ok) return refused(read.problems[0] ?? rule('schema_without_queries', {}))
  const { schema, endpoint: url } = read.value
  if (!schema.getQueryType()) return refused(rule('schema_without_queries', {}))
  const address = addressOf(url)
  if (!address) return refused(rule('endpoint_invalid', { url: (url ?? '').slice(0, 200) }))
  const { parts, leftOut } = readParts(schema, address.endpoint)
  const description = proseOf(schema.description)
  const catalog: ServedCatalog = {
    id,
    version: 0,
    ...(description !== undefined && { description }),
    origin: address.endpoint.origin,
    otherOrigins: [],
    aliases: [],
    ...parts,
    auth: { scheme: 'none' },
    unsupported: [],
  }
  const warnings = [
    ...(url === undefined ? [rule('endpoint_unknown', {})] : []),
    ...leftOut,
    ...lint(catalog).filter(({ code }) => !EXPECTED.has(code)),
  ]
  return {
    path,
    id,
    catalog: freeze(catalog),
    errors: [],
    warnings: warnings.map((found) => ({ ...found, file })),
  }
}

/** What an author should correct in a catalog, and a schema cannot. */
const EXPECTED = new Set(['two_plain_reads', 'name_clash'])

/** The conventional path, under an address that an operator sets. */
const UNKNOWN = 'http://graphql.invalid/graphql'

/** The origin and the path of an endpoint; undefined if it is not a URL of HTTP. */
function addressOf(url: string = UNKNOWN): { readonly endpoint: Endpoint } | undefined {
  if (!URL.canParse(url)) return undefined
  const { protocol, username, password, origin: host, pathname, searchParams } = new URL(url)
  if (!/^https?:$/.test(protocol) || username !== '' || password !== '') return undefined
  const cut = pathname.lastIndexOf('/')
  const origin = parseOrigin(`${host}${pathname.slice(0, cut)}`)
  if (origin === undefined) return undefined
  const last = pathname.slice(cut + 1)
  const pairs = [...searchParams].map(([name, value]) => [name, { type: 'const', value }] as const)
  return {
    endpoint: {
      origin,
      path: last === '' ? [] : [{ type: 'literal', value: last }],
      ...(pairs.length > 0 && { query: { type: 'object', fields: pairs } }),
    },
  }
}
