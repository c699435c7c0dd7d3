import { type Context, Hono } from 'hono'
import { type Announced, type Caller, type Gateway, passingProblem, type Traces } from '../../engine/index.ts'
import { admission, type AdmissionParts } from './admission/admission.ts'
import { jsonAnswer, withHeaders } from './answer.ts'
import { authentication } from './admission/authenticated.ts'
import { codingProblem } from './body.ts'
import { httpProblem } from './problems.ts'
import { ownProblemAnswer, ownProblemReply } from './problem-reply.ts'
import { metadataOf, METADATA_PATHS, type ProtectedResource } from './admission/resource.ts'
import { openApiDocument } from './document.ts'
import { negotiated } from './negotiated.ts'
import { onSocket, type SocketCalls, type SocketListener } from './on-socket.ts'
import type { Env, Route } from './route.ts'
import { tagged } from './tagged.ts'
import { catalogRoutes } from './routes/catalogs.ts'
import { contextCalls, contextRoutes } from './routes/contexts.ts'
import { type Faulty, healthRoutes } from './routes/health.ts'
import { metricsRoutes, type MetricsText } from './routes/metrics.ts'
import { programRoutes } from './routes/programs.ts'
import { traceRoutes } from './routes/traces.ts'
import { discardRest } from './unread.ts'
import { onWritten } from './written.ts'

const MCP_PATH = '/mcp'

/** One exchange as MCP takes it: the caller, and a signal that the answer was written. */
interface McpExchange {
  readonly caller: Caller
  readonly announced: Announced
  /** Counts requests besides the first; gives the refusal if they are too many for the caller. */
  readonly count: (requests: number) => Response | undefined
  readonly onWritten: (callback: () => void) => void
}

/** What this surface needs of the rest. */
export interface HttpParts extends AdmissionParts {
  readonly gateway: Gateway
  /** Whose tokens are taken, for clients who look for that; absent where none are. */
  readonly resource?: ProtectedResource
  readonly version: string
  readonly mcp: {
    /** Answers everything under `/mcp`. */
    readonly fetch: (request: Request, exchange: McpExchange) => Promise<Response>
    /** Of the calls that are answered on the socket, where there is one. */
    readonly recognise?: SocketCalls['recognise']
  }
  /** Metrics and traces; absent if they are not kept. */
  readonly telemetry?: { readonly traces: Traces; readonly metrics: MetricsText }
  /** The parts of the server that fail now. */
  readonly faulty: () => Promise<readonly Faulty[]>
  /** Receives internal errors. */
  readonly report: (error: unknown) => void
}

/** The HTTP surface. */
export interface HttpApp {
  readonly fetch: Hono<Env>['fetch']
  /** Asked before `fetch`, where a socket stands behind the request. */
  readonly onSocket: SocketListener
}

/** The HTTP surface as a fetch handler. Every error it gives is `application/problem+json`. */
export function httpApp(parts: HttpParts): HttpApp {
  const app = new Hono<Env>()
  const routes = [
    ...contextRoutes(parts.gateway, parts.report),
    ...programRoutes(parts.gateway),
    ...catalogRoutes(parts.gateway),
    ...healthRoutes(parts.faulty),
    ...(parts.telemetry
      ? [...traceRoutes(parts.telemetry.traces), ...metricsRoutes(parts.telemetry.metrics)]
      : []),
  ]
  const admitted = admission(parts)
  const { resource } = parts
  const authenticated = authentication(admitted, resource)

  app.use(async (c, next) => {
    const problem = admitted.foreign(hostOf(c), (name) => c.req.header(name))
    if (problem) c.res = ownProblemReply(problem)
    else await next()
    const incoming = c.env?.incoming
    if (incoming?.complete === false) await discardRest(incoming)
    // What is left of a body cannot be skipped: the connection's next request would be lost in it.
    if (incoming?.complete === false) c.res.headers.set('connection', 'close')
  })
  for (const route of routes) {
    const handle = negotiated(route)
    app.on(
      route.method.toUpperCase(),
      honoPath(route.path),
      route.isPublic ? handle : authenticated(handle, route),
    )
  }
  app.all(
    MCP_PATH,
    authenticated(
      async (c) => {
        const coded = codingProblem(c.req)
        if (coded) return ownProblemReply(coded)
        const exchange = {
          caller: c.get('caller'),
          announced: c.get('announced'),
          count: c.get('count'),
          onWritten: (callback: () => void) => onWritten(c, callback),
        }
        return withHeaders(await parts.mcp.fetch(c.req.raw, exchange))
      },
      { surfaces: ['mcp'] },
    ),
  )
  if (resource)
    for (const path of METADATA_PATHS) app.get(path, (c) => jsonAnswer(metadataOf(resource, c.req.url)))
  let document: string | undefined
  app.get('/openapi.json', (c) => {
    document ??= openApiDocument(routes, parts.version)
    return tagged(c, document, 'application/json; charset=utf-8')
  })
  app.notFound((c) => notFound(c, routes))
  const failure = (error: unknown) => {
    parts.report(error)
    return passingProblem(error) ?? httpProblem('internal_error', {})
  }
  app.onError((error) => ownProblemReply(failure(error)))
  const { recognise } = parts.mcp
  const calls: readonly SocketCalls[] = [
    contextCalls(parts.gateway, parts.report),
    ...(recognise ? [{ path: MCP_PATH, surface: 'mcp', recognise } as const] : []),
  ]
  return {
    fetch: app.fetch,
    onSocket: onSocket(admitted, calls, (error) => ownProblemAnswer(failure(error))),
  }
}

/** The host that is asked: that of a target that is a whole URL, whatever the header says. */
function hostOf({ req, env }: Context<Env>): string | undefined {
  const target = env?.incoming?.url ?? '/'
  return target.startsWith('/') ? req.header('host') : /^https?:\/\/([^/?#]*)/i.exec(target)?.[1]
}

function notFound(c: Context<Env>, routes: readonly Route[]): Response {
  const path = c.req.path.slice(0, 200)
  const allowed = routes
    .filter((route) => pattern(route.path).test(c.req.path))
    .flatMap(({ method }) => (method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]))
  if (c.req.path === '/openapi.json') allowed.push('GET', 'HEAD')
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
