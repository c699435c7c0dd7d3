import { fetch } from 'undici'
import { Hono } from 'hono'
import { contextInput, type Verifier } from '../src/engine/index.ts'
import { jsonBody } from '../src/surfaces/http/body.ts'
import { callerOf, siteGuard } from '../src/surfaces/http/admission/guard.ts'
import { listen } from '../src/surfaces/http/listen.ts'
import type { LoadClient } from './client.ts'
import { contextRequest, type BenchServer } from './server.ts'
import type { RecordedRequest } from './load.ts'
import type { Contest } from './measure.ts'

/**
 * A repeated context over HTTP, against a route with the same guards, reader of the body and validator that answers
 * with the same bytes from a constant.
 */
export async function httpContext(server: BenchServer, client: LoadClient): Promise<Contest> {
  const request = contextRequest(server.url, server.token)
  const bytes = await textOf(request)
  const base = await listen(baseApp(server.verifier, bytes), { host: '127.0.0.1', port: 0 })
  const baseRequest = contextRequest(base.url, server.token)
  if ((await textOf(baseRequest)) !== bytes) throw new Error('the two routes do not answer alike')
  return {
    ours: (calls) => client.send(request, calls),
    base: (calls) => client.send(baseRequest, calls),
    close: () => base.close(0),
    ...(server.store === 'memory' && { bound: 1.2 }),
  }
}

async function textOf({ url, headers, body }: RecordedRequest): Promise<string> {
  return (await fetch(url, { method: 'POST', headers, body })).text()
}

function baseApp(verifier: Verifier, bytes: string): Hono {
  const app = new Hono()
  const guard = siteGuard(['127.0.0.1'])
  app.use(async (c, next) => {
    if (guard(c.req.header('host'), c.req.header('origin'), c.req.header('sec-fetch-site')))
      return c.body(null, 403)
    await next()
    c.res.headers.set('cache-control', 'no-store')
    c.res.headers.set('content-security-policy', "default-src 'none'; frame-ancestors 'none'")
    c.res.headers.set('x-content-type-options', 'nosniff')
    return undefined
  })
  app.post('/v1/contexts', async (c) => {
    if (!(await callerOf(verifier, c.req.header('authorization')))) return c.body(null, 401)
    const body = await jsonBody(c.req)
    if (!body.ok || !contextInput.safeParse(body.value).success) return c.body(null, 400)
    return c.body(bytes, 200, { 'content-type': 'application/json', location: '/v1/contexts/s0' })
  })
  return app
}
