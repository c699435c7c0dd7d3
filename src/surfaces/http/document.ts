import { STATUS_CODES } from 'node:http'
import { OpenAPIHono, type RouteConfig, type z } from '@hono/zod-openapi'
import { problemBody } from '../bodies/refusal-schema.ts'
import type { Route, Tag } from './route.ts'

const TAGS: Readonly<Record<Tag, string>> = {
  Sessions: 'Sessions are opened, extended, listed and closed',
  Programs: 'Programs are planned and run; pages and snapshots hold the rest of their results',
  Catalogs: 'The APIs that can be used, and the language of programs',
  Traces: "What the caller's sessions did",
  Server: 'The state of the server',
}

const HEADERS = {
  etag: 'Of the content: a later request with this as `If-None-Match` is answered with 304 while the content is the same',
  location: 'The URL of the session',
}

/** The OpenAPI document of these routes, as JSON. */
export function openApiDocument(routes: readonly Route[], version: string): string {
  const document = new OpenAPIHono()
  document.openAPIRegistry.registerComponent('securitySchemes', 'token', {
    type: 'http',
    scheme: 'bearer',
    description: 'The local token, an API key, or a token of a configured issuer',
  })
  for (const route of routes) document.openAPIRegistry.registerPath(describeRoute(route))
  const tags = new Set(routes.map(({ tag }) => tag))
  return JSON.stringify(
    document.getOpenAPI31Document({
      openapi: '3.1.0',
      info: {
        title: 'Plasmid',
        version,
        description: 'Logical sessions and typed programs between an agent and every API',
        license: { name: 'Apache-2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' },
      },
      servers: [{ url: '/', description: 'This server' }],
      tags: [...tags].map((name) => ({ name, description: TAGS[name] })),
    }),
  )
}

function describeRoute(route: Route): RouteConfig {
  const { method, path, name, tag, summary, isPublic, parameters, query, body, headers = [] } = route
  const sent = Object.fromEntries(
    headers.map((header) => [header, { description: HEADERS[header], schema: { type: 'string' as const } }]),
  )
  const answers = Object.entries(route.answers).map(([status, content]) => [
    status,
    {
      description: STATUS_CODES[status] ?? status,
      ...(headers.length > 0 && { headers: sent }),
      ...(Object.keys(content).length > 0 && { content: contentOf(content) }),
    },
  ])
  const problem = {
    description: 'The problems',
    content: contentOf({ 'application/problem+json': problemBody }),
  }
  return {
    method,
    path,
    operationId: name,
    tags: [tag],
    summary,
    security: isPublic ? [] : [{ token: [] }],
    request: {
      ...(parameters && { params: parameters }),
      ...(query && { query }),
      ...(body && { body: { required: true, content: contentOf(body) } }),
    },
    responses: {
      ...Object.fromEntries(answers),
      ...(headers.includes('etag') && { 304: { description: 'Not Modified', headers: sent } }),
      '4XX': problem,
      '5XX': problem,
    },
  }
}

function contentOf(schemas: Readonly<Record<string, z.ZodType>>) {
  return Object.fromEntries(Object.entries(schemas).map(([type, schema]) => [type, { schema }]))
}
