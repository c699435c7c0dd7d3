import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { IncomingMessage } from 'node:http'
import { pin, type PinnedCatalog } from '../../src/catalog/digest.ts'
import type { Capability, ServedCatalog, Entity, Field, Parameter, Type } from '../../src/catalog/model.ts'
import type { Expression, HttpRequest, Paging } from '../../src/catalog/calls/http-request.ts'

/*
 * An issue tracker on a real loopback port, and its catalog: enough of an API to page through, to follow relations of
 * every kind and to write to, with faults on demand.
 */

export const text: Type = { kind: 'string', semantics: 'short' }
export const integer: Type = { kind: 'integer' }
const json: Type = { kind: 'json' }

export const variable = (name: string): Expression => ({ type: 'var', name })
export const object = (...names: readonly string[]): Expression => ({
  type: 'object',
  fields: names.map((name) => [name, variable(name)]),
})

export function field(name: string, type: Type = text, path: readonly string[] = [name]): Field {
  return { name, type, path, required: false }
}

export function parameter(name: string, type: Type = text, more: Partial<Parameter> = {}): Parameter {
  return { name, type, required: false, role: 'plain', ...more }
}

export function entity(name: string, fields: readonly Field[], more: Partial<Entity> = {}): Entity {
  return {
    name,
    key: ['id'],
    implicitIdentity: false,
    abstract: false,
    aliases: [],
    fields,
    relations: [],
    terms: [],
    ...more,
  }
}

export function capability(
  name: string,
  owner: string,
  kind: Capability['kind'],
  template: HttpRequest,
  more: Partial<Capability> = {},
): Capability {
  const effect = kind === 'query' || kind === 'search' || kind === 'get' ? 'read' : 'write'
  return {
    name,
    entity: owner,
    kind,
    label: name,
    parameters: [],
    openInput: false,
    effect,
    omitAggregateScope: false,
    call: { kind: 'http', request: template },
    unsupported: [],
    terms: [],
    ...more,
  }
}

/** `get('/issues/{id}')`: a template from a path with its variables in braces. */
export function request(
  method: HttpRequest['method'],
  path: string,
  more: Partial<HttpRequest> = {},
): HttpRequest {
  const segments = path.split('/').filter((part) => part !== '')
  return {
    method,
    path: segments.map((part) => {
      const name = /^\{(\w+)\}$/.exec(part)?.[1]
      return name === undefined
        ? { type: 'literal', value: part }
        : { type: 'var', name, suffix: '', encode: 'segment' }
    }),
    bodyFormat: 'json',
    response: { single: false, scalar: false },
    ...more,
  }
}

const many = { path: ['items'], single: false, scalar: false }
export const paging = (more: Partial<Paging>): Paging => ({
  location: 'query',
  parameters: [],
  bodyPath: [],
  responsePath: [],
  ...more,
})
const byPage = paging({
  parameters: [
    { kind: 'counter', name: 'page', start: 1, step: 1 },
    { kind: 'fixed', name: 'per_page', value: 10, isPageSize: true },
  ],
  pageSize: 10,
})

const issue = entity(
  'Issue',
  [
    field('id', integer),
    field('title'),
    field('state', { kind: 'select', options: ['open', 'closed'] }),
    field('points', integer),
    field('body', { kind: 'string', semantics: 'markdown' }),
    field('author', { kind: 'reference', entity: 'User' }),
    field('updated', { kind: 'date', format: 'rfc3339' }),
  ],
  {
    relations: [
      {
        name: 'comments',
        target: 'Comment',
        many: true,
        via: { kind: 'query', capability: 'comment_query', bindings: [{ parameter: 'issue' }] },
      },
      {
        name: 'labels',
        target: 'Label',
        many: true,
        via: { kind: 'parent', path: ['labels', { wildcard: true }] },
      },
      { name: 'assignee', target: 'User', many: false, via: { kind: 'embedded' } },
      {
        name: 'reporter',
        target: 'User',
        many: false,
        via: { kind: 'get', capability: 'user_get', bindings: [{ parameter: 'id', field: 'author' }] },
      },
      { name: 'watchers', target: 'User', many: true, via: { kind: 'none' } },
    ],
  },
)

const capabilities: readonly Capability[] = [
  capability(
    'issue_query',
    'Issue',
    'query',
    request('GET', '/issues', { query: object('state', 'label'), response: many, paging: byPage }),
    {
      parameters: [parameter('state'), parameter('label', { kind: 'array', items: text })],
      provides: ['id', 'title', 'state', 'points', 'author', 'updated'],
    },
  ),
  capability('issue_get', 'Issue', 'get', request('GET', '/issues/{id}')),
  capability('issue_create', 'Issue', 'create', request('POST', '/issues', { body: variable('input') }), {
    parameters: [parameter('title', text, { required: true }), parameter('points', integer)],
    idempotencyHeader: 'Idempotency-Key',
  }),
  capability(
    'issue_update',
    'Issue',
    'update',
    request('PATCH', '/issues/{id}', { body: variable('input') }),
    {
      parameters: [parameter('title'), parameter('points', integer)],
    },
  ),
  capability('issue_close', 'Issue', 'action', request('POST', '/issues/{id}/close'), {
    effect: 'side_effect',
    sideEffect: 'closes the issue',
  }),
  capability('issue_delete', 'Issue', 'delete', request('DELETE', '/issues/{id}'), { effect: 'side_effect' }),
  capability(
    'comment_query',
    'Comment',
    'query',
    request('GET', '/issues/{issue}/comments', { response: many, paging: byPage }),
    {
      parameters: [
        parameter('issue', { kind: 'reference', entity: 'Issue' }, { role: 'scope', required: true }),
      ],
    },
  ),
  capability('user_get', 'User', 'get', request('GET', '/users/{id}')),
  capability('fault', 'Issue', 'query', request('GET', '/fault/{kind}', { response: many }), {
    parameters: [parameter('kind')],
  }),
]

const ENTITIES: readonly Entity[] = [
  issue,
  entity('Comment', [
    field('id', integer),
    field('text'),
    field('issue', { kind: 'reference', entity: 'Issue' }, ['issue_id']),
  ]),
  entity('Label', [field('id'), field('color')]),
  entity('User', [field('id', text), field('name'), field('extra', json)]),
]

export interface Tracker {
  readonly pinned: PinnedCatalog<ServedCatalog>
  /** `GET /issues?page=1&per_page=10`, in order of arrival. */
  readonly log: string[]
  readonly bodies: unknown[]
  /** The most requests that were under way at once. */
  readonly busiest: () => number
  readonly app: Hono
  readonly close: () => Promise<void>
}

interface Issue {
  readonly id: number
  title: string
  points: number
  state: string
}

/** The tracker with so many issues. `extra` adds to its catalog what one test needs. */
export async function startTracker(
  count = 25,
  extra: { readonly capabilities?: readonly Capability[]; readonly entities?: readonly Entity[] } = {},
): Promise<Tracker> {
  const app = new Hono()
  const log: string[] = []
  const bodies: unknown[] = []
  let under = 0
  let most = 0
  app.use(async (c, next) => {
    const url = new URL(c.req.url)
    log.push(`${c.req.method} ${url.pathname}${url.search}`)
    most = Math.max(most, ++under)
    await next()
    under--
  })
  const issues: Issue[] = Array.from({ length: count }, (_, index) => ({
    id: index + 1,
    title: `Issue ${index + 1}`,
    points: (index * 7) % 10,
    state: index % 2 === 0 ? 'open' : 'closed',
  }))
  const brief = (one: Issue) => ({
    ...one,
    author: `u${one.id % 3}`,
    updated: `2026-01-${String((one.id % 28) + 1).padStart(2, '0')}T00:00:00Z`,
  })
  const full = (one: Issue) => ({
    ...brief(one),
    body: `Text of ${one.id}`,
    labels: [
      { id: 'bug', color: 'red' },
      { id: `l${one.id}`, color: 'blue' },
    ],
    assignee: one.id % 2 === 0 ? { id: 'u1', name: 'User u1' } : 'u2',
  })
  const found = (id: string) => issues.find((one) => String(one.id) === id)

  app.get('/issues', (c) => {
    const [page, size] = [Number(c.req.query('page') ?? 1), Number(c.req.query('per_page') ?? 10)]
    const state = c.req.query('state')
    const chosen = issues.filter((one) => state === undefined || one.state === state)
    return c.json({ items: chosen.slice((page - 1) * size, page * size).map(brief), total: chosen.length })
  })
  app.get('/issues/:id', (c) => {
    const one = found(c.req.param('id'))
    return one ? c.json(full(one)) : c.json({ message: `no issue ${c.req.param('id')}` }, 404)
  })
  app.post('/issues', async (c) => {
    const body: Partial<Issue> = await c.req.json()
    bodies.push(body)
    if (body.title === 'bad')
      return c.json({ message: 'Validation Failed', errors: [{ message: 'title is bad' }] }, 422)
    if (body.title === 'drop') {
      const { incoming }: { readonly incoming?: IncomingMessage } = c.env ?? {}
      incoming?.socket.destroy()
    }
    if (body.title === 'gateway') return c.text('<html>Bad gateway</html>', 502)
    const one = { id: issues.length + 1, title: body.title ?? '', points: body.points ?? 0, state: 'open' }
    issues.push(one)
    return c.json(full(one), 201)
  })
  app.patch('/issues/:id', async (c) => {
    const one = found(c.req.param('id'))
    if (!one) return c.json({ message: 'gone' }, 404)
    const body: Partial<Issue> = await c.req.json()
    bodies.push(body)
    Object.assign(one, body)
    return c.json(full(one))
  })
  app.post('/issues/:id/close', (c) => {
    const one = found(c.req.param('id'))
    if (!one) return c.json({ message: `no issue ${c.req.param('id')}` }, 404)
    one.state = 'closed'
    return c.body(null, 204)
  })
  app.delete('/issues/:id', (c) => {
    issues.splice(0, issues.length, ...issues.filter((one) => String(one.id) !== c.req.param('id')))
    return c.body(null, 204)
  })
  app.get('/issues/:id/comments', (c) => {
    const id = Number(c.req.param('id'))
    const page = Number(c.req.query('page') ?? 1)
    const all = Array.from({ length: id === 1 ? 12 : id % 3 }, (_, index) => ({
      id: id * 100 + index,
      text: `c${index}`,
      issue_id: id,
    }))
    return c.json({ items: all.slice((page - 1) * 10, page * 10) })
  })
  app.get('/users/:id', (c) => {
    const id = c.req.param('id')
    if (id === 'u9') return c.json({ error: 'no such user' }, 404)
    // One user alone has what no schema describes.
    const more =
      id === 'u8'
        ? { extra: { plan: 'gold', seats: 12, joined: '2025-03-01', beta: true, tags: ['a', { id: 'b' }] } }
        : {}
    return c.json({ id, name: `User ${id}`, ...more })
  })
  app.get('/fault/:kind', (c) => {
    switch (c.req.param('kind')) {
      case '500':
        return c.json({ error: { message: 'database is down' } }, 500)
      case 'html':
        return c.html('<html><body>Welcome</body></html>')
      case 'shape':
        return c.json({ data: [], meta: {} })
      case 'slack':
        return c.json({ ok: false, error: 'channel_not_found' })
      case 'graphql':
        return c.json({ data: null, errors: [{ message: 'Field `x` is unknown' }] })
      case 'rate':
        return c.json({ message: 'slow down' }, 429, { 'retry-after': '7' })
      case 'drip':
        return c.body(
          new ReadableStream({
            pull: (controller) => controller.enqueue(new TextEncoder().encode('[1,2,3],')),
          }),
        )
      case 'deep':
        return c.body(`{"items":${'['.repeat(5000)}${']'.repeat(5000)}}`, 200, {
          'content-type': 'application/json',
        })
      case 'bad':
        return c.json({ items: [[], { nothing: true }] })
      case 'mixed':
        return c.json({
          items: [{ id: 1, title: 'good' }, [], { nothing: true }, 'plain-id', { id: 2, title: 'good too' }],
        })
      default:
        return new Promise<Response>(() => undefined)
    }
  })

  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => void server.once('listening', () => resolve()))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const catalog: ServedCatalog = {
    id: 'tracker',
    version: 1,
    origin: `http://127.0.0.1:${port}`,
    otherOrigins: [],
    aliases: [],
    entities: [...ENTITIES, ...(extra.entities ?? [])],
    capabilities: [...capabilities, ...(extra.capabilities ?? [])],
    auth: { scheme: 'none' },
    unsupported: [],
  }
  const close = async () => {
    if ('closeAllConnections' in server) server.closeAllConnections()
    await new Promise<void>((resolve) => void server.close(() => resolve()))
  }
  return { pinned: pin(catalog), log, bodies, busiest: () => most, app, close }
}
