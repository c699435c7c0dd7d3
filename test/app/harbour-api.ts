import { serve } from '@hono/node-server'
import { type Context, Hono } from 'hono'
import { readFileSync } from 'node:fs'

/** A real server that is described by its own OpenAPI document, which it serves at `/openapi.json`. */
export interface HarbourApi {
  readonly url: string
  /** `GET /v1/piers?page=1`, in the order of arrival. */
  readonly requests: string[]
  /** Content type and body of each request that has one. */
  readonly bodies: string[]
  /** Its document, with its own address as the server; served as it is now. */
  document: string
  /** Waited for before the document is served. */
  beforeDocument: () => Promise<void>
  readonly close: () => Promise<void>
}

export const HARBOUR_KEY = 'the-key-of-the-harbour'
const DOCUMENT = readFileSync(new URL('../fixtures/openapi/harbour.json', import.meta.url), 'utf8')

const piers = Array.from({ length: 7 }, (_, index) => ({
  id: index + 1,
  name: `Pier ${index + 1}`,
  state: index % 3 === 2 ? 'closed' : 'open',
  depth_m: 4.5 + index,
  opened_on: `19${60 + index}-05-01`,
}))

export async function startHarbourApi(): Promise<HarbourApi> {
  const requests: string[] = []
  const bodies: string[] = []
  const app = new Hono()
  app.get('/openapi.json', async (c) => {
    await api.beforeDocument()
    return c.body(api.document, 200, { 'content-type': 'application/json' })
  })
  app.use('/v1/*', async (c, next) => {
    const { pathname, search } = new URL(c.req.url)
    requests.push(`${c.req.method} ${pathname}${search}`)
    if (c.req.header('x-harbour-key') !== HARBOUR_KEY) return c.json({ message: 'Who are you?' }, 401)
    return next()
  })
  routes(app, bodies)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => void server.once('listening', () => resolve()))
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('no address')
  const url = `http://127.0.0.1:${address.port}`
  const api: HarbourApi = {
    url,
    requests,
    bodies,
    document: DOCUMENT.replace('http://127.0.0.1:1', url),
    beforeDocument: async () => undefined,
    close: () => new Promise((resolve) => void server.close(() => resolve())),
  }
  return api
}

function routes(app: Hono, bodies: string[]): void {
  const pierOf = (c: Context) => piers.find(({ id }) => String(id) === c.req.param('pier'))
  const note = async (c: Context) => {
    const body = await c.req.text()
    bodies.push(`${c.req.header('content-type')?.replace(/boundary=.*/, 'boundary')}: ${body}`)
    return body
  }
  app.get('/v1/piers', (c) => {
    const { state, ids, page = '1', per_page: size = '2' } = c.req.query()
    const wanted = ids?.split(',')
    const all = piers.filter(
      (one) => (!state || one.state === state) && (!wanted || wanted.includes(String(one.id))),
    )
    const from = (Number(page) - 1) * Number(size)
    return c.json({ piers: all.slice(from, from + Number(size)), total: all.length, page: Number(page) })
  })
  app.get('/v1/piers/:pier', (c) => {
    const pier = pierOf(c)
    return pier ? c.json(pier) : c.json({ message: 'There is no such pier.' }, 404)
  })
  app.patch('/v1/piers/:pier', async (c) => {
    await note(c)
    return c.json({ ...pierOf(c), name: 'Renamed' })
  })
  app.post('/v1/piers/:pier/close', async (c) => {
    await note(c)
    return c.json({ ...pierOf(c), state: 'closed' })
  })
  app.get('/v1/piers/:pier/report', (c) => c.text(`All is well at pier ${c.req.param('pier')}.\n<calm>`))
  app.get('/v1/piers/:pier/photo', (c) =>
    c.body(Buffer.from([137, 80, 78, 71]), 200, { 'content-type': 'image/png' }),
  )
  app.put('/v1/piers/:pier/photo', async (c) => {
    bodies.push(`${c.req.header('content-type')}: ${Buffer.from(await c.req.arrayBuffer()).toString('hex')}`)
    return c.body(null, 204)
  })
  app.post('/v1/piers/:pier/documents', async (c) => {
    const form = await c.req.formData()
    const [title, file] = [form.get('title'), form.get('file')]
    const bytes = file instanceof File ? await file.arrayBuffer() : new ArrayBuffer(0)
    const name = file instanceof File ? file.name : 'no file'
    bodies.push(
      `${typeof title === 'string' ? title : 'no title'}: ${name}: ${Buffer.from(bytes).toString()}`,
    )
    return c.json({ title, bytes: bytes.byteLength }, 201)
  })
  app.get('/v1/piers/:pier/berths', (c) =>
    c.json(
      [1, 2].map((number) => ({
        number,
        pier_id: Number(c.req.param('pier')),
        length_m: 20 * number,
        ship: null,
      })),
    ),
  )
  app.post('/v1/piers/:pier/berths', async (c) => {
    const body = await note(c)
    if (body.includes('Flying Dutchman')) return c.json({ message: 'That ship never lands.' }, 409)
    return c.json({ number: 3, pier_id: Number(c.req.param('pier')), length_m: 30, ship: null }, 201)
  })
  app.get('/v1/piers/:pier/berths/:number', (c) =>
    c.json({
      number: Number(c.req.param('number')),
      pier_id: Number(c.req.param('pier')),
      length_m: 20,
      ship: 'Anna',
    }),
  )
  app.delete('/v1/piers/:pier/berths/:number', (c) => c.body(null, 204))
}
