import type { Hono } from 'hono'
import { afterEach, describe, expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { type Served, serveDocument } from '../execution/served.ts'

/* Lists of APIs whose pages are smaller than asked for, empty, counted from one, or of which little is known. */

let served: Served | undefined
afterEach(async () => served?.close())

const text = { type: 'string' }
const integer = { type: 'integer' }
const object = (properties: Json) => ({ type: 'object', properties })
const stones = { type: 'array', items: object({ id: integer, colour: text }) }
const sized = (name: string) => ({ name, schema: { type: 'integer', maximum: 100 } })
const plain = (name: string, schema: Json = integer) => ({ name, schema })

/** An API with one list, `/stones`. */
async function quarry(
  parameters: readonly Json[],
  schema: Json,
  routes: (app: Hono) => void,
): Promise<Served> {
  const document = {
    openapi: '3.0.3',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/stones': {
        get: {
          parameters: parameters.map((one) => ({ in: 'query', ...Object(one) })),
          responses: { 200: { description: 'ok', content: { 'application/json': { schema } } } },
        },
      },
    },
  }
  return (served = await serveDocument(document, routes))
}

/** Stones `from` to `to`, the last included. */
const some = (from: number, to: number) =>
  Array.from({ length: Math.max(0, to - from + 1) }, (_, index) => ({ id: from + index, colour: 'grey' }))

const count = 'Stone.aggregate(n=count)'

/** How many stones a program counts, the mark of the count, and how many requests it took. */
async function counted({ run, log }: Served) {
  const { results, partial, problems } = await run(count)
  const [[row] = []] = Object.values(results ?? {})
  return { ...Object(row), partial: partial?.[0], problems, requests: log.length }
}

test('a total leads past pages that an API caps', async () => {
  const api = await quarry(
    [sized('limit'), plain('offset')],
    object({ total: integer, items: stones }),
    (app) =>
      app.get('/stones', (c) => {
        const offset = Number(c.req.query('offset'))
        return c.json({ total: 120, items: some(offset + 1, Math.min(offset + 50, 120)) })
      }),
  )
  expect(await counted(api)).toEqual({ n: 120, partial: undefined, problems: [], requests: 3 })
})

test('a total in a header, and a number of pages, do so as well', async () => {
  const api = await quarry([sized('limit'), plain('page')], stones, (app) =>
    app.get('/stones', (c) => {
      const page = Number(c.req.query('page'))
      return c.json(some(page * 50 - 49, Math.min(page * 50, 120)), 200, { 'x-total-count': '120' })
    }),
  )
  expect(await counted(api)).toEqual({ n: 120, partial: undefined, problems: [], requests: 3 })
  await api.close()
  const schema = object({ items: stones, meta: object({ total_pages: integer }) })
  const other = await quarry([sized('limit'), plain('page')], schema, (app) =>
    app.get('/stones', (c) => {
      const page = Number(c.req.query('page'))
      return c.json({ items: some(page * 50 - 49, Math.min(page * 50, 120)), meta: { total_pages: 3 } })
    }),
  )
  expect(await counted(other)).toEqual({ n: 120, partial: undefined, problems: [], requests: 3 })
})

test('a total that is never reached marks the rows', async () => {
  const api = await quarry(
    [sized('limit'), plain('offset')],
    object({ total: integer, items: stones }),
    (app) =>
      app.get('/stones', (c) =>
        c.json({ total: 120, items: c.req.query('offset') === '0' ? some(1, 50) : [] }),
      ),
  )
  expect(await counted(api)).toEqual({ n: 50, partial: 'perhaps_more', problems: [], requests: 2 })
})

test('a total below the rows that came counts something else', async () => {
  const api = await quarry(
    [sized('limit'), plain('offset')],
    object({ total: integer, items: stones }),
    (app) =>
      app.get('/stones', (c) => {
        const offset = Number(c.req.query('offset'))
        return c.json({ total: 0, items: some(offset + 1, Math.min(offset + 100, 120)) })
      }),
  )
  expect(await counted(api)).toEqual({ n: 120, partial: undefined, problems: [], requests: 2 })
})

const tokens = object({ items: stones, nextPageToken: text })

test('an empty page with a token for the next is no end', async () => {
  const pages: Record<string, Json> = {
    '': { items: some(1, 2), nextPageToken: 'b' },
    b: { items: [], nextPageToken: 'c' },
    c: { items: [], nextPageToken: 'd' },
    d: { items: some(3, 3) },
  }
  const api = await quarry([plain('pageToken', text)], tokens, (app) =>
    app.get('/stones', (c) => c.json(Object(pages[c.req.query('pageToken') ?? '']))),
  )
  expect(await counted(api)).toEqual({ n: 3, partial: undefined, problems: [], requests: 4 })
})

test('empty pages without end are left, and the rows marked', async () => {
  const api = await quarry([plain('pageToken', text)], tokens, (app) =>
    app.get('/stones', (c) => c.json({ items: [], nextPageToken: `${c.req.query('pageToken') ?? ''}x` })),
  )
  expect(await counted(api)).toEqual({ n: 0, partial: 'perhaps_more', problems: [], requests: 21 })
})

test('an empty page that names itself is the end', async () => {
  const api = await quarry([plain('pageToken', text)], tokens, (app) =>
    app.get('/stones', (c) =>
      c.json({ items: c.req.query('pageToken') === 'b' ? [] : some(1, 2), nextPageToken: 'b' }),
    ),
  )
  expect(await counted(api)).toEqual({ n: 2, partial: undefined, problems: [], requests: 2 })
})

test('pages are named in brackets of any of the usual words', async () => {
  const schema = object({ data: stones, meta: object({ pagination: object({ pageCount: integer }) }) })
  const api = await quarry(
    [
      plain('pagination[start]'),
      plain('pagination[limit]'),
      plain('pagination[page]'),
      sized('pagination[pageSize]'),
    ],
    schema,
    (app) =>
      app.get('/stones', (c) => {
        const page = Number(c.req.query('pagination[page]'))
        const data = some(page * 25 - 24, Math.min(page * 25, 60))
        return c.json({ data, meta: { pagination: { pageCount: 3 } } })
      }),
  )
  expect(await counted(api)).toEqual({ n: 60, partial: undefined, problems: [], requests: 3 })
  expect(decodeURIComponent(api.log[1] ?? '')).toBe('GET /stones?pagination[page]=2&pagination[pageSize]=100')
})

test('rows that an id bounds are marked where nothing leads on', async () => {
  for (const name of ['max_id', 'since_id', 'ending_before']) {
    const api = await quarry([plain(name, text)], stones, (app) =>
      app.get('/stones', (c) => c.json(some(1, 20))),
    )
    expect(await counted(api)).toEqual({ n: 20, partial: 'perhaps_more', problems: [], requests: 1 })
    await api.close()
  }
})

test('the id of the last row leads on where the name says so', async () => {
  const api = await quarry([plain('starting_after', text)], stones, (app) =>
    app.get('/stones', (c) => {
      const after = Number(c.req.query('starting_after') ?? 0)
      return c.json(some(after + 1, Math.min(after + 4, 10)))
    }),
  )
  expect(await counted(api)).toEqual({ n: 10, partial: undefined, problems: [], requests: 4 })
})

test('an index that begins with one skips and repeats no row', async () => {
  const schema = object({
    totalResults: integer,
    startIndex: integer,
    itemsPerPage: integer,
    Resources: stones,
  })
  const api = await quarry([plain('startIndex'), plain('count')], schema, (app) =>
    app.get('/stones', (c) => {
      const first = Math.max(1, Number(c.req.query('startIndex')))
      const Resources = some(first, Math.min(first + 3, 10))
      return c.json({ totalResults: 10, startIndex: first, itemsPerPage: 4, Resources })
    }),
  )
  expect(await counted(api)).toEqual({ n: 10, partial: undefined, problems: [], requests: 3 })
  expect(api.log.map((line) => /startIndex=(\d+)/.exec(line)?.[1])).toEqual(['1', '5', '9'])
})

describe('an API that refuses the page behind the last one', () => {
  /** Pages of five stones; behind the last one this status. */
  const refusing = (status: 400 | 404 | 416, last: number, body = 'nothing here') =>
    quarry([plain('page')], stones, (app) =>
      app.get('/stones', (c) => {
        const page = Number(c.req.query('page'))
        const rows = some(page * 5 - 4, Math.min(page * 5, last))
        return rows.length === 0 ? c.text(body, status) : c.json(rows)
      }),
    )

  test.each([404, 416] as const)('ends the list with %d', async (status) => {
    expect(await counted(await refusing(status, 10))).toEqual({
      n: 10,
      partial: undefined,
      problems: [],
      requests: 3,
    })
  })

  test('ends it with 400 behind a page that is shorter', async () => {
    const api = await refusing(400, 8)
    expect(await counted(api)).toEqual({ n: 8, partial: undefined, problems: [], requests: 3 })
    await api.close()
    const bounded = await refusing(400, 10, 'Only the first 10 rows')
    expect(await counted(bounded)).toMatchObject({ n: 10, partial: 'failed', requests: 3 })
  })

  test('fails where the first page is refused, or more rows were stated', async () => {
    expect(await counted(await refusing(404, 0))).toMatchObject({ partial: 'failed', requests: 1 })
    await served?.close()
    const api = await quarry([plain('page')], object({ total: integer, items: stones }), (app) =>
      app.get('/stones', (c) =>
        c.req.query('page') === '1'
          ? c.json({ total: 12, items: some(1, 5) })
          : c.json({ message: 'gone' }, 404),
      ),
    )
    expect(await counted(api)).toEqual({
      n: 5,
      partial: 'failed',
      problems: ['`api.Stone`: the API has no such row: "gone".'],
      requests: 2,
    })
  })
})

describe('a list that takes a size and leads nowhere', () => {
  const limited = (schema: Json, answered: Json = stones, body = (rows: Json): Json => rows) =>
    quarry([plain('limit', schema)], answered, (app) =>
      app.get('/stones', (c) => {
        const rows = some(1, Math.min(Number(c.req.query('limit') ?? 3), 7))
        return c.json(body(rows))
      }),
    )

  test('is asked for all that it gives', async () => {
    const api = await limited({ type: 'integer', default: 3, maximum: 500 })
    expect(await counted(api)).toEqual({ n: 7, partial: undefined, problems: [], requests: 1 })
    expect(api.log).toEqual(['GET /stones?limit=500'])
  })

  test('may have more rows where it gives as many as were asked for', async () => {
    const api = await limited({ type: 'integer', maximum: 5 })
    expect(await counted(api)).toMatchObject({ n: 5, partial: 'perhaps_more' })
  })

  test('takes the size of the caller where no maximum is known', async () => {
    const api = await limited({ type: 'integer', default: 3 })
    expect(await counted(api)).toMatchObject({ n: 3, partial: 'perhaps_more' })
    const asked = async (limit: number) => (await api.run(`Stone{limit=${limit}}[id]`)).partial
    expect(await asked(5)).toEqual(['perhaps_more'])
    expect(await asked(50)).toEqual([undefined])
  })

  test('is whole where it counts its rows', async () => {
    const schema = object({ total: integer, items: stones })
    const api = await limited({ type: 'integer', maximum: 7 }, schema, (items) => ({ total: 7, items }))
    expect(await counted(api)).toMatchObject({ n: 7, partial: undefined })
  })
})
