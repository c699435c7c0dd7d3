import { ok, failed, type Result } from '../../base/diagnostic.ts'
import { graphql } from '../../catalog/readers/graphql/reader.ts'
import { CATALOG_FORMATS, type CatalogFormat } from '../../catalog/format.ts'
import { openapi } from '../../catalog/readers/openapi/reader.ts'
import { fetchDocument, type Secret } from './fetch.ts'
import { schemaOfEndpoint } from './graphql-endpoint.ts'

/** What an address gave: a document, or the schema that a GraphQL server describes itself by. */
export interface FetchedSource {
  readonly kind: CatalogFormat
  readonly text: string
}

/**
 * Reads what describes an API at an address: a document, else the schema of a GraphQL server.
 *
 * @param kind what the operator says that it is; if absent, it is found out
 *
 * Gives `source_locked`; `catalog_unreadable` or `endpoint_silent`, both if the address is neither.
 */
export async function fetchSource(
  address: string,
  kind: CatalogFormat | undefined,
  secret: Secret,
): Promise<Result<FetchedSource>> {
  if (kind === 'graphql' && !LANGUAGE.test(pathOf(address))) return introspected(address, secret)
  const fetched = await fetchDocument(address, secret)
  if (kind !== undefined) return fetched.ok ? ok({ kind, text: fetched.value }) : fetched
  // A server that asks for a credential says nothing of what it serves.
  if (!fetched.ok && fetched.problems.some(({ code }) => code === 'source_locked')) return fetched
  const found = fetched.ok ? formatOf(pathOf(address), fetched.value) : undefined
  if (found && fetched.ok) return ok({ kind: found, text: fetched.value })
  const schema = await introspected(address, secret)
  if (schema.ok) return schema
  return fetched.ok ? schema : failed([...fetched.problems, ...schema.problems])
}

async function introspected(address: string, secret: Secret): Promise<Result<FetchedSource>> {
  const schema = await schemaOfEndpoint(address, secret)
  return schema.ok ? ok({ kind: 'graphql', text: schema.value }) : schema
}

const LANGUAGE = /\.(?:graphqls?|gql)$/i
const PLASM = /^(?:entities|capabilities|http_backend)\s*:/m

/** Whether a document is of the format: an address needs no name that says so. */
const IS_OF: Record<CatalogFormat, (path: string, text: string) => boolean> = {
  openapi: (_, text) => openapi.isFile('document.yaml', text),
  graphql: (path, text) => LANGUAGE.test(path) || graphql.isFile('document.json', text),
  plasm: (_, text) => PLASM.test(text),
}

/** The format of a document by its text; undefined if it is of none, such as a web page. */
function formatOf(path: string, text: string): CatalogFormat | undefined {
  return CATALOG_FORMATS.find((format) => IS_OF[format](path, text))
}

function pathOf(address: string): string {
  return new URL(address).pathname
}
