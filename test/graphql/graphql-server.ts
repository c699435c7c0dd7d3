import { once } from 'node:events'
import { createServer } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { graphql, type GraphQLSchema } from 'graphql'

/** A request as the server received it. */
interface Asked {
  readonly query: string
  readonly variables: Readonly<Record<string, unknown>>
}

export interface GraphqlServer {
  readonly url: string
  readonly asked: Asked[]
  readonly close: () => Promise<void>
}

/** Serves a schema over HTTP at `/graphql` of a loopback port, by the library's own executor. */
export async function serveGraphql(api: {
  readonly schema: GraphQLSchema
  readonly rootValue: object
}): Promise<GraphqlServer> {
  const asked: Asked[] = []
  const server = createServer((request, response) => {
    void textOf(request).then(async (body) => {
      const isCall = request.method === 'POST' && request.url === '/graphql'
      const parsed: unknown = isCall ? JSON.parse(body) : undefined
      if (!isAsked(parsed)) {
        response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"Not here"}')
        return
      }
      asked.push(parsed)
      const result = await graphql({
        schema: api.schema,
        rootValue: api.rootValue,
        source: parsed.query,
        variableValues: parsed.variables,
      })
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(result))
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const address = server.address()
  return {
    url: `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/graphql`,
    asked,
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

function isAsked(value: unknown): value is Asked {
  return typeof value === 'object' && value !== null && 'query' in value && typeof value.query === 'string'
}
