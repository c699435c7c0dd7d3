import { beforeEach, afterEach, describe, expect, test } from 'vitest'
import { readGraphql } from '../../src/catalog/readers/graphql/read.ts'
import { runnerOf } from '../execution/served.ts'
import { type GraphqlServer, serveGraphql } from './graphql-server.ts'
import { museum, MUSEUM_SCHEMA } from './museum.ts'

/* Programs on a GraphQL API that is known by its schema alone. */

let server: GraphqlServer
let api: ReturnType<typeof museum>
let runner: ReturnType<typeof runnerOf>
beforeEach(async () => {
  api = museum()
  server = await serveGraphql(api)
  const text = `# endpoint: ${server.url}\n${MUSEUM_SCHEMA}`
  const { catalog } = readGraphql({ path: 'museum', id: 'museum', file: 'museum.graphql', text })
  if (!catalog) throw new Error('the schema is read')
  runner = runnerOf(catalog)
})
afterEach(async () => {
  await runner.close()
  await server.close()
})

const queries = () => server.asked.map(({ query }) => query)

describe('a selection', () => {
  test('asks for what the program asks for', async () => {
    expect(await runner.run('a = Work(k1)[title, year]\na')).toMatchObject({
      results: { a: [{ title: 'Work 1', year: 1900 }] },
      problems: [],
    })
    expect(server.asked).toEqual([
      { query: 'query($id:ID!){node(id:$id){...on Work{id title year}}}', variables: { id: 'k1' } },
    ])
  })

  test('looks into a referred row in the same request', async () => {
    const ran = await runner.run('a = Work{}.limit(2)[title, maker.name, museum.city]\na')
    expect(ran).toMatchObject({
      results: {
        a: [
          { title: 'Work 1', 'maker.name': 'Ada Stein', 'museum.city': 'Northport' },
          { title: 'Work 2', 'maker.name': 'Bo Lind', 'museum.city': 'Southport' },
        ],
      },
      problems: [],
    })
    expect(queries()).toEqual([
      'query($filter:WorkFilter,$orderBy:WorkOrder,$first:Int,$after:String){works(filter:$filter,orderBy:$orderBy,first:$first,after:$after)' +
        '{edges{node{id title maker{id name __typename} museum{id name city}}}pageInfo{endCursor hasNextPage}}}',
    ])
  })

  test('is never deeper than the referred row', async () => {
    await runner.run('a = Work(k1).similar.limit(1)[title, maker.name]\na')
    const depths = queries().map((query) => {
      let depth = 0
      return Math.max(...Array.from(query, (sign) => (depth += sign === '{' ? 1 : sign === '}' ? -1 : 0)))
    })
    // The operation, the node, the list, and in it a referred row.
    expect(Math.max(...depths)).toBe(5)
  })

  test('of a whole row leaves out lists of other rows', async () => {
    const ran = await runner.run('a = Museum(m1)\na')
    expect(ran).toMatchObject({
      results: {
        a: [{ id: 'm1', name: 'North Hall', city: 'Northport', rooms: [{ number: 1 }, { number: 2 }] }],
      },
    })
    expect(queries()).toEqual(['query($id:ID!){museum(id:$id){id name city rooms{number title}}}'])
  })
})

describe('reads', () => {
  test('follow the cursor of a connection', async () => {
    const ran = await runner.run('n = Work{}.aggregate(n=count)\nn')
    expect(ran).toMatchObject({ results: { n: [{ n: 30 }] }, partial: [undefined] })
    expect(server.asked.map(({ variables }) => variables)).toEqual([
      { first: 50 },
      { first: 50, after: 'k20' },
    ])
  })

  test('follow an offset', async () => {
    const ran = await runner.run('all = Museum{}.sort(name)[name]\nall')
    expect(ran).toMatchObject({
      results: { all: [{ name: 'East Hall' }, { name: 'North Hall' }, { name: 'South Hall' }] },
    })
    expect(server.asked.map(({ variables }) => variables)).toEqual([
      { limit: 2, offset: 0 },
      { limit: 2, offset: 2 },
    ])
  })

  test('follow the number of the next page', async () => {
    const ran = await runner.run('v = Visitors{museumId=m1}.aggregate(sum=sum(count))\nv')
    expect(ran).toMatchObject({ results: { v: [{ sum: 60 }] }, partial: [undefined] })
  })

  test('walk a list inside a row, with its arguments and pages', async () => {
    const ran = await runner.run(
      'w = Museum(m2).works{medium=BRONZE}.limit(12)[title]\nn = w.aggregate(n=count)\nn',
    )
    expect(ran).toMatchObject({ results: { n: [{ n: 10 }] }, problems: [] })
    const asked = server.asked.map(({ variables }) => variables)
    expect(asked).toEqual([{ museum: 'm2', medium: 'BRONZE', first: 12 }])
  })

  test('send structured arguments as variables', async () => {
    const ran = await runner.run('w = Work{filter={years: {from: 1903, to: 1904}, museumId: m1}}[title]\nw')
    expect(ran).toMatchObject({ results: { w: [{ title: 'Work 4' }] } })
    expect(server.asked[0]?.variables['filter']).toEqual({ years: { from: 1903, to: 1904 }, museumId: 'm1' })
  })

  test('tell the members of a union apart', async () => {
    const ran = await runner.run('f = Found~"Ada"[id, type, name]\nf')
    expect(ran).toMatchObject({
      results: { f: [{ id: 'a1', type: 'Artist', name: 'Ada Stein' }] },
      problems: [],
    })
  })

  test('give single rows and values of the root', async () => {
    expect(await runner.run('f = Work.featured()[title]\nm = Motto\nf, m')).toMatchObject({
      results: { f: [{ title: 'Work 1' }], m: [{ value: 'Look twice' }] },
      problems: [],
    })
  })

  test('of a row that is not there say so', async () => {
    expect(await runner.run('a = Museum(m9)\na')).toMatchObject({
      problems: [expect.stringContaining('`museum.Museum`')],
    })
  })

  test('of which the API left a part empty give the rest', async () => {
    const ran = await runner.run('a = Work(k1)[title, policy]\na')
    expect(ran).toMatchObject({
      results: { a: [{ title: 'Work 1' }] },
      partial: ['failed'],
      problems: ['`museum.Work`: the API left a part of the answer empty: "Policies are not for you".'],
    })
  })
})

describe('writes', () => {
  test('take the fields of an input object', async () => {
    const ran = await runner.run(
      'w = Work.create(title="New", museumId=m1, price={amount: 2.5, currency: "EUR"})[id, title]\nw',
    )
    expect(ran).toMatchObject({ results: { w: [{ id: 'k31', title: 'New' }] }, effects: ['0 done'] })
    expect(server.asked[0]).toEqual({
      query: expect.stringContaining(
        'mutation($input:CreateWorkInput!){createWork(input:$input){userErrors{message} work{id title',
      ),
      variables: { input: { title: 'New', museumId: 'm1', price: { amount: 2.5, currency: 'EUR' } } },
    })
  })

  test('that the API refuses in its payload are not done', async () => {
    const ran = await runner.run('w = Work.create(title="", museumId=m1)\nw')
    expect(ran).toMatchObject({
      effects: ['0 failed'],
      problems: [expect.stringContaining('Title is blank')],
    })
  })

  test('that the API refuses by another member of a union are not done', async () => {
    expect(await runner.run('w = Work(k1).lend(museumId=m2)\nw')).toMatchObject({
      effects: ['0 failed'],
      problems: [expect.stringContaining('It is too fragile')],
    })
  })

  test('are called on a row', async () => {
    const ran = await runner.run('w = Work(k2).update(title="Later")[title]\nw')
    expect(ran).toMatchObject({ results: { w: [{ title: 'Later' }] }, effects: ['0 done'] })
    expect(await runner.run('d = Work(k3).delete()\nd')).toMatchObject({
      effects: ['0 done'],
      results: { d: [{ value: 'k3' }] },
    })
    expect(api.works.map(({ id }) => id)).not.toContain('k3')
  })

  test('that answer one value show it, and say that `false` may mean nothing', async () => {
    expect(await runner.run('c = Operations.close-all()\nc')).toMatchObject({
      effects: ['0 done'],
      results: { c: [{ value: true }] },
      problems: [],
    })
    api.rootValue.closeAll = () => false
    expect(await runner.run('c = Operations.close-all()\nc')).toMatchObject({
      effects: ['0 done'],
      results: { c: [{ value: false }] },
      problems: [expect.stringContaining('the API answered `false`, which may mean that nothing changed.')],
    })
  })

  test('whose resolver fails are not done', async () => {
    expect(await runner.run('w = Work(k99).update(title="x")\nw')).toMatchObject({
      effects: ['0 failed'],
      problems: [expect.stringContaining('There is no work k99')],
    })
  })

  test('whose answer fails after the change are done', async () => {
    expect(await runner.run('w = Work(k1).restore()\nw')).toMatchObject({
      effects: ['0 done'],
      problems: [expect.stringContaining('its answer could not be read')],
    })
  })
})
