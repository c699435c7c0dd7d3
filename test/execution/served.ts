import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import { httpWire } from '../../src/adapters/wire/http.ts'
import type { Json } from '../../src/base/canonical.ts'
import { pin } from '../../src/catalog/digest.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import { readOpenapi } from '../../src/catalog/readers/openapi/read.ts'
import { execute } from '../../src/execution/executor.ts'
import type { Wire } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { catalogIn } from '../catalog/readers/imported.ts'
import { fixtureCatalog } from '../engine/fixtures.ts'
import { valuesOf, worldOf } from './plans.ts'

/** One of our own catalogs with its API on a real loopback port. */
export interface Served {
  readonly catalog: ServedCatalog
  /** `GET /ships?kind=ferry`, in order of arrival. */
  readonly log: string[]
  /** The JSON bodies that came, in order of arrival. */
  readonly bodies: unknown[]
  /** Runs a program over the real wire in a session that knows every entity of the catalog. */
  readonly run: (text: string, more?: More) => Promise<Ran>
  readonly close: () => Promise<void>
}

/** Programs over the real wire of one catalog. */
export type Runner = Pick<Served, 'run' | 'close'> & { readonly wire: Wire }

/** What a world differs in; `sees`: the rights while the program is checked, where they are others. */
type More = NonNullable<Parameters<typeof worldOf>[1]> & { readonly sees?: Rights }
type Rights = (catalog: string, capability: string) => boolean

interface Ran {
  readonly rejected?: readonly string[]
  /** Rows by label. */
  readonly results?: Readonly<Record<string, ReturnType<typeof valuesOf>>>
  readonly partial?: readonly (string | undefined)[]
  readonly problems?: readonly string[]
  /** Row and state of each effect, where there are any. */
  readonly effects?: readonly string[]
}

export function serveFixture(id: string, routes: (app: Hono) => void): Promise<Served> {
  return serveCatalog((origin) => fixtureCatalog(id, { origin }), routes)
}

/** The catalog of an OpenAPI document, with its API on a real loopback port. */
export function serveDocument(document: Json, routes: (app: Hono) => void): Promise<Served> {
  const text = JSON.stringify(document)
  return serveCatalog((origin) => {
    const file = { file: 'api.json', text: text.replaceAll('https://api.example', origin) }
    return catalogIn(readOpenapi({ path: file.file, id: 'api', file }))
  }, routes)
}

async function serveCatalog(
  catalogOf: (origin: string) => ServedCatalog,
  routes: (app: Hono) => void,
): Promise<Served> {
  const app = new Hono()
  const log: string[] = []
  const bodies: unknown[] = []
  app.use(async (c, next) => {
    const url = new URL(c.req.url)
    log.push(`${c.req.method} ${url.pathname}${url.search}`)
    if (c.req.header('content-type')?.startsWith('application/json')) bodies.push(await c.req.json())
    await next()
  })
  routes(app)
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' })
  await new Promise<void>((resolve) => void server.once('listening', () => resolve()))
  const address = server.address()
  const port = address !== null && typeof address === 'object' ? address.port : 0
  const catalog = catalogOf(`http://127.0.0.1:${port}`)
  const { run, close } = runnerOf(catalog)

  return {
    catalog,
    log,
    bodies,
    run,
    async close() {
      await close()
      if ('closeAllConnections' in server) server.closeAllConnections()
      await new Promise<void>((resolve) => void server.close(() => resolve()))
    },
  }
}

/** Runs programs over the real wire in a session that knows every entity of the catalog. */
export function runnerOf(served: ServedCatalog): Runner {
  const wire = httpWire({
    secrets: () => Promise.reject(new Error('no secrets here')),
    allowPrivate: () => true,
    userAgent: 'plasmid-test',
  })
  const pinned = pin(served)
  const { catalog, digest } = pinned
  const entities = catalog.entities.map(({ name }) => name).toSorted()
  const picks = [{ catalog: catalog.id, digest, lens: 'all' as const, entities }]
  const space = symbolSpace([{ revision: 1, generation: 1, picks }], () => catalog)
  return {
    async run(text, { sees, ...more } = {}) {
      const allows = sees ?? more.allows ?? (() => true)
      const read = readProgram(text, { space, model: () => catalog, allows, ref: 's0' })
      if (!read.ok) return { rejected: read.problems.map(({ message }) => message) }
      const outcome = await execute(read.plan, worldOf(pinned, { wire, ...more }))
      const effects = outcome.effects.map(({ row, state }) => `${row} ${state}`)
      return {
        ...(effects.length > 0 && { effects }),
        results: Object.fromEntries(outcome.results.map((result) => [result.label, valuesOf(result)])),
        partial: outcome.results.map(({ partial }) => partial),
        problems: outcome.problems.map(({ message }) => message),
      }
    },
    wire,
    close: () => wire.shutDown(),
  }
}
