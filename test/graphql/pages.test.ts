import { buildSchema } from 'graphql'
import { afterEach, expect, test } from 'vitest'
import { readGraphql } from '../../src/catalog/readers/graphql/read.ts'
import { runnerOf } from '../execution/served.ts'
import { serveGraphql } from './graphql-server.ts'

/* Lists of schemas that say little of their pages. */

let close: (() => Promise<void>) | undefined
afterEach(async () => close?.())

/** Programs on a schema, and what its server is asked. */
async function serve(schema: string, rootValue: object) {
  const server = await serveGraphql({ schema: buildSchema(schema), rootValue })
  const text = `# endpoint: ${server.url}\n${schema}`
  const { catalog } = readGraphql({ path: 'quarry', id: 'quarry', file: 'quarry.graphql', text })
  if (!catalog) throw new Error('the schema is read')
  const runner = runnerOf(catalog)
  close = async () => {
    await runner.close()
    await server.close()
  }
  return { run: runner.run, asked: server.asked }
}

/** Counts the stones of a schema whose pages have two of five stones; how the rest is read. */
async function counted(
  list: string,
  types: string,
  answer: (given: { page?: number; limit?: number }) => object,
) {
  const schema = `type Stone { id: ID! colour: String } ${types} type Query { ${list} stone(id: ID!): Stone }`
  const { run, asked } = await serve(schema, { stones: answer })
  const { results, partial } = await run('Stone{}.aggregate(n=count)')
  return { ...Object(results?.['aggregate']?.[0]), partial: partial?.[0], requests: asked.length }
}

const some = (page = 1, size = 2) =>
  Array.from({ length: 5 }, (_, at) => ({ id: `s${at + 1}` })).slice((page - 1) * size, page * size)

test('an answer that names its page is read from the first one', async () => {
  const types =
    'type Stones { items: [Stone!]! pageInfo: Info! } type Info { currentPage: Int hasNextPage: Boolean }'
  const read = await counted('stones(page: Int): Stones!', types, ({ page = 1 }) => ({
    items: some(page),
    pageInfo: { currentPage: page, hasNextPage: page < 3 },
  }))
  expect(read).toEqual({ n: 5, partial: undefined, requests: 3 })
})

test.each([
  [true, 'perhaps_more'],
  [false, undefined],
])('a flag says whether there is more where nothing leads on: %s', async (hasMore, partial) => {
  const types = 'type Stones { items: [Stone!]! hasMore: Boolean }'
  const read = await counted('stones(page: Int): Stones!', types, () => ({ items: some(), hasMore }))
  expect(read).toEqual({ n: 2, partial, requests: 1 })
})

test.each([
  [2, 'perhaps_more'],
  [3, undefined],
])('as many rows as are usual may not be all: %i', async (usual, partial) => {
  const read = await counted(`stones(limit: Int = ${usual}): [Stone!]!`, '', () => some())
  expect(read).toEqual({ n: 2, partial, requests: 1 })
})

test('each list of an object that pages several is read with its own arguments', async () => {
  const schema = `
    type Stone { id: Int! colour: String }
    type Digger { id: Int! name: String }
    type Info { currentPage: Int hasNextPage: Boolean }
    type Page { info: Info stones(colour: String): [Stone] diggers: [Digger] }
    type Query { page(page: Int, perPage: Int): Page stone(id: Int, colour: String): Stone }`
  const { run, asked } = await serve(schema, {
    page: ({ page = 1 }) => ({
      info: { currentPage: page, hasNextPage: page < 2 },
      stones: ({ colour = 'grey' }) => [{ id: page, colour }],
      diggers: () => [{ id: page * 10, name: 'Ada' }],
    }),
  })
  const { results, problems } = await run(
    'a = Stone{colour=red}.sort(id)[id, colour]\nb = Digger.sort(id)[id]\na, b',
  )
  expect(problems).toEqual([])
  expect(results).toEqual({
    a: [
      { id: 1, colour: 'red' },
      { id: 2, colour: 'red' },
    ],
    b: [{ id: 10 }, { id: 20 }],
  })
  expect(asked.map(({ variables }) => variables)).toContainEqual({ colour: 'red', page: 2, perPage: 50 })
  expect(asked.map(({ query }) => query)).toContain(
    'query($page:Int,$perPage:Int,$colour:String){page(page:$page,perPage:$perPage){info{hasNextPage} stones(colour:$colour){id colour}}}',
  )
})
