import { problemsOf } from '../../../base/diagnostic.ts'

/** Problems of GraphQL schemas. */
export const rule = problemsOf({
  schema_invalid: {
    message: ({ reason }: { reason: string }) => `The GraphQL schema is invalid: ${reason}.`,
    next: () => 'Give an introspection result in JSON, or a document in the GraphQL schema language.',
  },
  schema_too_large: {
    message: ({ most }: { most: string }) => `The GraphQL schema has more than ${most}.`,
    next: () => 'Give a schema with the types that are needed.',
  },
  schema_without_queries: {
    message: () => 'The GraphQL schema has no query type.',
    next: () => 'Give a whole schema, with `type Query`.',
  },
  endpoint_unknown: {
    message: () => 'The GraphQL schema does not say where its server answers.',
    next: () => 'Add the line `# endpoint: URL` to the schema, or set `backends` for the catalog.',
  },
  endpoint_invalid: {
    message: ({ url }: { url: string }) => `The endpoint \`${url}\` is not an http: or https: URL.`,
    next: () => 'Correct the endpoint.',
  },
  schema_left_out: {
    message: ({ what, names, more }: { what: string; names: readonly string[]; more: number }) =>
      `Left out of the catalog: ${what}: ${names.map((name) => `\`${name}\``).join(', ')}${more > 0 ? ` and ${more} more` : ''}.`,
    next: () => 'Nothing is required; these parts of the API cannot be called.',
  },
})
