import { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import {
  type Announced,
  announcedText,
  type Caller,
  type Gateway,
  passingProblem,
  type Traces,
  type Verifier,
} from '../../engine/index.ts'
import { answer, jsonAnswer, withHeaders } from './answer.ts'
import { codingProblem } from './body.ts'
import { callerOf, siteGuard } from './guard.ts'
import { httpProblem } from './problems.ts'
import { ownProblemReply } from './problem-reply.ts'
import { challenge, metadataOf, METADATA_PATHS, type ProtectedResource } from './resource.ts'
import { describeRoute, type Env, type Route } from './route.ts'
import { catalogRoutes } from './routes/catalogs.ts'
import { contextRoutes } from './routes/contexts.ts'
import { type Faulty, healthRoutes } from './routes/health.ts'
import { metricsRoutes, type MetricsText } from './routes/metrics.ts'
import { programRoutes } from './routes/programs.ts'
import { traceRoutes } from './routes/traces.ts'
import { onWritten } from './written.ts'

/** One exchange as MCP takes it: the caller, and a signal that the answer was written. */
interface McpExchange {
  readonly caller: Caller
  readonly announced: Announced
  readonly onWritten: (callback: () => void) => void
}

/** An answer of MCP with status 200, in parts. */
interface McpAnswer {
  readonly body: string
  readonly headers: Readonly<Record<string, string>>
}

/** What this surface needs of the rest. */
export interface HttpParts {
  readonly gateway: Gateway
  readonly verifier: Verifier
  /** Host names that are ours besides loopback's. */
  readonly hosts: readonly string[]
  readonly version: string
  /** Answers everything under `/mcp`. */
  readonly mcp: (request: Request, exchange: McpExchange) => Promise<Response | McpAnswer>
  /** The header in which a client may announce its workspace; absent: none is read. */
  readonly workspaceHeader?: string
  /** Whose tokens are taken, for clients who look for that; absent where none are. */
  readonly resource?: ProtectedResource
  /** Metrics and traces; absent if they are not kept. */
  readonly telemetry?: { readonly traces: Traces; readonly metrics: MetricsText }
  /** The parts of the server that fail now. */
  readonly faulty: () => Promise<readonly Faulty[]>
  /** Receives internal errors. */
  readonly report: (error: unknown) => void
}

type Handle = (context: Context<Env>) => Promise<Response> | Response

/** The HTTP surface as a fetch handler. Every error it gives is `application/problem+json`. */
export function httpApp(parts: HttpParts): OpenAPIHono<Env> {
  const app = new OpenAPIHono<Env>()
  const routes = [
    ...contextRoutes(parts.gateway, parts.report),
    ...programRoutes(parts.gateway),
    ...catalogRoutes(parts.gateway),
    ...healthRoutes(parts.faulty),
    ...(parts.telemetry
      ? [...traceRoutes(parts.telemetry.traces), ...metricsRoutes(parts.telemetry.metrics)]
      : []),
  ]
  const guard = siteGuard(parts.hosts)

  app.use(async (c, next) => {
    const problem = guard(c.req.header('host'), c.req.header('origin'), c.req.header('sec-fetch-site'))
    if (problem) c.res = ownProblemReply(problem)
    else await next()
    // An unread body cannot be skipped: the connection's next request would be lost in it.
    if (c.env?.incoming?.complete === false) c.res.headers.set('connection', 'close')
  })
  for (const route of routes) {
    app.openAPIRegistry.registerPath(describeRoute(route))
    app.on(
      route.method.toUpperCase(),
      honoPath(route.path),
      route.isPublic ? route.handle : authenticated(parts, route.handle),
    )
  }
  app.all(
    '/mcp',
    authenticated(parts, async (c) => {
      const coded = codingProblem(c.req)
      if (coded) return ownProblemReply(coded)
      const exchange = {
        caller: c.get('caller'),
        announced: c.get('announced'),
        onWritten: (callback: () => void) => onWritten(c, callback),
      }
      const answered = await parts.mcp(c.req.raw, exchange)
      return 'status' in answered ? withHeaders(answered) : answer(answered.body, 200, answered.headers)
    }),
  )
  const { resource } = parts
  if (resource)
    for (const path of METADATA_PATHS) app.get(path, (c) => jsonAnswer(metadataOf(resource, c.req.url)))
  let document: string | undefined
  app.get('/openapi.json', () => {
    document ??= openApiDocument(app, parts.version)
    return answer(document, 200, { 'content-type': 'application/json; charset=utf-8' })
  })
  app.notFound((c) => notFound(c, routes))
  app.onError((error) => {
    parts.report(error)
    return ownProblemReply(passingProblem(error) ?? httpProblem('internal_error', {}))
  })
  return app
}

/** The handler, for callers who prove who they are. */
function authenticated(parts: HttpParts, handle: Handle): Handle {
  return async (c) => {
    const credential = c.req.header('authorization')
    const caller = await callerOf(parts.verifier, credential)
    if (!caller)
      return ownProblemReply(httpProblem('unauthenticated', {}), {
        'www-authenticate': challenge(parts.resource, c.req.url, credential !== undefined),
      })
    c.set('caller', caller)
    c.set('announced', announcedBy(c, parts.workspaceHeader))
    return handle(c)
  }
}

/** What the client announces in the header that the operator chose. The bytes of a header are UTF-8. */
function announcedBy(c: Context<Env>, header: string | undefined): Announced {
  const sent = header === undefined ? undefined : announcedText(c.req.header(header))
  return sent === undefined ? {} : { workspace: Buffer.from(sent, 'latin1').toString('utf8') }
}

function notFound(c: Context<Env>, routes: readonly Route[]): Response {
  const path = c.req.path.slice(0, 200)
  const allowed = routes
    .filter((route) => pattern(route.path).test(c.req.path))
    .map((route) => route.method.toUpperCase())
  if (c.req.path === '/openapi.json') allowed.push('GET')
  if (allowed.length === 0) return ownProblemReply(httpProblem('unknown_route', { path }))
  const problem = httpProblem('method_not_allowed', { method: c.req.method, path, allowed })
  return ownProblemReply(problem, { allow: allowed.join(', ') })
}

function pattern(path: string): RegExp {
  return new RegExp(`^${path.replaceAll('.', '[.]').replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/g, ':$1')
}

function openApiDocument(app: OpenAPIHono<Env>, version: string): string {
  app.openAPIRegistry.registerComponent('securitySchemes', 'token', { type: 'http', scheme: 'bearer' })
  return JSON.stringify(app.getOpenAPI31Document({ openapi: '3.1.0', info: { title: 'Plasmid', version } }))
}
