import { fetch } from 'undici'
import { Hono } from 'hono'
import { contextInput, type Verifier } from '../src/engine/index.ts'
import { jsonBody } from '../src/surfaces/http/body.ts'
import { callerOf, siteGuard } from '../src/surfaces/http/guard.ts'
import { listen } from '../src/surfaces/http/listen.ts'
import type { LoadClient } from './client.ts'
import { contextShot, type House } from './house.ts'
import type { Shot } from './load.ts'
import type { Contest } from './measure.ts'

/**
 * A repeated context over HTTP, against a route that does all that HTTP asks for (the same guards, the same reading of
 * the body, the same validator) and then answers with the same bytes out of its hand.
 */
export async function httpContext(house: House, client: LoadClient): Promise<Contest> {
  const shot = contextShot(house.url, house.token)
  const bytes = await textOf(shot)
  const base = await listen(baseApp(house.verifier, bytes), { host: '127.0.0.1', port: 0 })
  const baseShot = contextShot(base.url, house.token)
  if ((await textOf(baseShot)) !== bytes) throw new Error('the two routes do not answer alike')
  return {
    name: 'context over HTTP / plain route',
    store: house.store,
    ours: (calls) => client.fire(shot, calls),
    base: (calls) => client.fire(baseShot, calls),
    close: () => base.close(0),
    ...(house.store === 'memory' && { bound: 1.2 }),
  }
}

async function textOf({ url, headers, body }: Shot): Promise<string> {
  return (await fetch(url, { method: 'POST', headers, body })).text()
}

function baseApp(verifier: Verifier, bytes: string): Hono {
  const app = new Hono()
  const guard = siteGuard(['127.0.0.1'])
  app.use(async (c, next) => {
    if (guard(c.req.header('host'), c.req.header('origin'))) return c.body(null, 403)
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
