import {
  buildASTSchema,
  buildClientSchema,
  type GraphQLSchema,
  type IntrospectionQuery,
  parse,
} from 'graphql'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import { isIntrospection } from './introspection.ts'
import { rule } from './problems.ts'

/** A schema, and where its server answers if the document says so. */
export interface SchemaDocument {
  readonly schema: GraphQLSchema
  readonly endpoint?: string
}

/** The longest document: the largest public schemas have a third of it. */
const MAX_CHARACTERS = 20_000_000
/** The most tokens of a document in the schema language; the largest public one has a third of it. */
const MAX_TOKENS = 1_500_000
const MAX_TYPES = 20_000

/** The key of our own beside an introspection result, and the comment in a document of the schema language. */
const ENDPOINT_KEY = 'endpoint'
const ENDPOINT_COMMENT = /^#\s*endpoint:\s*(\S{1,2000})\s*$/m

/** Reads an introspection result in JSON, or a document in the schema language. */
export function readSchema(text: string): Result<SchemaDocument> {
  if (text.length > MAX_CHARACTERS)
    return failed([rule('schema_too_large', { most: `${MAX_CHARACTERS} characters` })])
  try {
    const document = isIntrospection(text) ? fromIntrospection(text) : fromLanguage(text)
    const types = Object.keys(document.schema.getTypeMap()).length
    return types > MAX_TYPES
      ? failed([rule('schema_too_large', { most: `${MAX_TYPES} types` })])
      : ok(document)
  } catch (error) {
    return failed([rule('schema_invalid', { reason: reasonOf(error) })])
  }
}

function fromIntrospection(text: string): SchemaDocument {
  const document: unknown = JSON.parse(text)
  const { data, ...rest } = recordIn(document)
  const held = data === undefined ? rest : recordIn(data)
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `buildClientSchema` checks what it reads
  const schema = buildClientSchema({ __schema: held['__schema'] } as unknown as IntrospectionQuery)
  const endpoint = rest[ENDPOINT_KEY]
  return { schema, ...(typeof endpoint === 'string' && { endpoint }) }
}

function fromLanguage(text: string): SchemaDocument {
  const document = parse(text, { maxTokens: MAX_TOKENS, noLocation: true })
  const schema = buildASTSchema(document, { assumeValidSDL: false })
  const endpoint = ENDPOINT_COMMENT.exec(text)?.[1]
  return { schema, ...(endpoint !== undefined && { endpoint }) }
}

function recordIn(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}

/** One line; a stack that ran out is a document that nests too deeply. */
function reasonOf(error: unknown): string {
  if (error instanceof RangeError) return 'it nests too deeply'
  const text = error instanceof Error ? error.message : 'unknown'
  return text.replaceAll(/\s+/g, ' ').slice(0, 300).replace(/\.$/, '')
}
