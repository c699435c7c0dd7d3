import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from '../served.ts'

/* Views of the harbor: one row that is composed of several reads. */

const SHIPS = [
  { id: 'S-1', name: 'Ada', kind: 'cargo', berth: 'B-7' },
  { id: 'S-2', name: 'Bo', kind: 'ferry', berth: 'B-1' },
  { id: 'S-3', name: 'Cy', kind: 'ferry', berth: 'B-404' },
]
const PURPOSES = ['load', 'repair', 'load', 'repair', 'fuel']

let harbor: Served
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.get('/ships', (c) =>
      c.json(SHIPS.filter(({ kind }) => [undefined, kind].includes(c.req.query('kind')))),
    )
    app.get('/ships/:id', (c) => {
      const ship = SHIPS.find(({ id }) => id === c.req.param('id'))
      return ship ? c.json(ship) : c.json({ message: 'no such ship' }, 404)
    })
    app.get('/ships/:id/visits', (c) => {
      const page = Number(c.req.query('page'))
      const purposes = c.req.param('id') === 'S-1' ? PURPOSES : []
      const visits = purposes.map((purpose, at) => ({ number: at + 1, berth: 'B-7', purpose }))
      return c.json({ visits: visits.slice(2 * page - 2, 2 * page) })
    })
    app.get('/berths/:id', (c) =>
      c.req.param('id') === 'B-404'
        ? c.json({ message: 'no such berth' }, 404)
        : c.json({ id: c.req.param('id'), quay: `Quay ${c.req.param('id').slice(2)}` }),
    )
    app.get('/port', (c) => c.json({ name: 'Old Harbor', home_berth: 7 }))
  })
})
afterAll(() => harbor.close())
beforeEach(() => void harbor.log.splice(0))

const sheet = () => ({
  ship: 'S-1',
  title: 'Ada',
  visits: 5,
  visited: true,
  repaired: true,
  purposes: { load: 2, repair: 2, fuel: 1 },
  link: `${harbor.catalog.origin}/ships/S/S-1`,
  state: 'busy',
})

test('a get by key reads every node once', async () => {
  expect(await harbor.run('ShipSheet("S-1")')).toEqual({
    results: { ShipSheet: [sheet()] },
    partial: [undefined],
    problems: [],
  })
  expect(harbor.log.toSorted()).toEqual([
    'GET /berths/B-7',
    'GET /ships/S-1',
    'GET /ships/S-1/visits?page=1&per_page=2',
    'GET /ships/S-1/visits?page=2&per_page=2',
    'GET /ships/S-1/visits?page=3&per_page=2',
  ])
})

test('a query gives the same row', async () => {
  const ran = await harbor.run(
    'a = ShipSheet{ship=Ship("S-1")}\nb = ShipSheet{ship="S-1", state=quiet}\na, b',
  )
  expect(ran).toMatchObject({ results: { a: [sheet()], b: [] }, problems: [] })
})

test('relations need no further call', async () => {
  const ran = await harbor.run(
    's = ShipSheet("S-1")\na = s.berth\nb = s.stays[number]\nc = s.repairs[number]\nd = s.first_repair[number]\na, b, c, d',
  )
  expect(ran).toEqual({
    results: {
      a: [{ id: 'B-7', quay: 'Quay 7' }],
      b: [1, 2, 3, 4, 5].map((number) => ({ number })),
      c: [{ number: 2 }, { number: 4 }],
      d: [{ number: 2 }],
    },
    partial: [undefined, undefined, undefined, undefined],
    problems: [],
  })
  expect(harbor.log).toHaveLength(5)
})

test('nothing there is counted as nothing', async () => {
  const ran = await harbor.run(
    's = ShipSheet("S-2")[visits, visited, repaired, purposes, state]\nf = ShipSheet("S-2").first_repair\ns, f',
  )
  expect(ran).toMatchObject({
    results: { s: [{ visits: 0, visited: false, repaired: false, purposes: {}, state: 'empty' }], f: [] },
    problems: [],
  })
})

test('without a scope it is got by name alone', async () => {
  const board = { name: 'Old Harbor', quay: 'Quay 7', ships: 2 }
  expect(await harbor.run('a = Board.get()\nb = Board\na, b')).toMatchObject({
    results: { a: [board], b: [board] },
    problems: [],
  })
  expect(harbor.log).toContain('GET /berths/B-7')
})

test('a node that fails fails the view, and says which', async () => {
  expect(await harbor.run('a = ShipSheet("S-9")\nb = ShipSheet("S-3")\na, b')).toMatchObject({
    results: { a: [], b: [] },
    partial: ['failed', 'failed'],
    problems: [
      '`harbor.Ship`: the API has no such row: "no such ship".',
      '`harbor.Berth`: the API has no such row: "no such berth".',
    ],
  })
})

test('counts that the budget cut short are said to be partial', async () => {
  const ran = await harbor.run('s = ShipSheet("S-1")[visits]\ns', { budget: { calls: 4 } })
  expect(ran).toMatchObject({ results: { s: [{ visits: 4 }] }, partial: ['budget'] })
  expect(ran.problems).toEqual([expect.stringContaining('The run exhausted its budget at')])
})

test('who may not use a part of it may not use the view', async () => {
  const allows = (_: string, capability: string) => capability !== 'visit_query'
  expect(await harbor.run('ShipSheet("S-1")', { allows })).toEqual({
    rejected: [expect.stringContaining('ShipSheet')],
  })
  expect(harbor.log).toEqual([])
})

test('a right that is taken back holds for the parts as well', async () => {
  const allows = (_: string, capability: string) => capability !== 'visit_query'
  const ran = await harbor.run('ShipSheet("S-1")', { sees: () => true, allows })
  expect(ran).toMatchObject({
    results: { ShipSheet: [] },
    problems: ['`harbor.Visit`: you no longer have the right to this call.'],
  })
})
