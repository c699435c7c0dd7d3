import { buildSchema } from 'graphql'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { readGraphql } from '../../src/catalog/readers/graphql/read.ts'
import { runnerOf } from '../execution/served.ts'
import { type GraphqlServer, serveGraphql } from './graphql-server.ts'

/* Mutations whose answer says in a field of its own whether the change was made. */

const SCHEMA = `
type Work { id: ID! title: String }
type Renamed { success: Boolean! message: String work: Work }
type Archived { success: Boolean! message: String }
type Sealed { success: Boolean! }
type Query { work(id: ID!): Work works: [Work!]! }
type Mutation {
  renameWork(id: ID!, title: String!): Renamed!
  archiveWork(id: ID!): Archived!
  sealWork(id: ID!): Sealed!
}`

let server: GraphqlServer
let runner: ReturnType<typeof runnerOf>
let answer: { readonly success: boolean; readonly message: string; readonly work: object | null }
beforeEach(async () => {
  const said = () => answer
  const rootValue = { renameWork: said, archiveWork: said, sealWork: said }
  server = await serveGraphql({ schema: buildSchema(SCHEMA), rootValue })
  const text = `# endpoint: ${server.url}\n${SCHEMA}`
  const { catalog } = readGraphql({ path: 'museum', id: 'museum', file: 'museum.graphql', text })
  if (!catalog) throw new Error('the schema is read')
  runner = runnerOf(catalog)
})
afterEach(async () => {
  await runner.close()
  await server.close()
})

test.each([
  ['Work("k1").rename(title="Sea")', 'Work.rename'],
  ['Work("k1").archive()', 'Work.archive'],
])('a change that was refused fails with its message: %s', async (program, called) => {
  answer = { success: false, message: 'On loan', work: null }
  expect(await runner.run(program)).toMatchObject({
    effects: ['0 failed'],
    problems: [`\`museum.${called}\`: the API answered with an error: "On loan".`],
  })
  answer = { success: true, message: 'Welcome', work: { id: 'k1', title: 'Sea' } }
  expect(await runner.run(program)).toMatchObject({ effects: ['0 done'], problems: [] })
})

test('a flag alone is the value of the answer', async () => {
  answer = { success: false, message: '', work: null }
  const { effects, problems } = await runner.run('Work("k1").seal()')
  expect(effects).toEqual(['0 done'])
  expect(problems).toEqual([expect.stringContaining('false')])
})
