import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from '../served.ts'

/* Writes that ask before they act: each read is made right before its call, with the caller's rights. */

interface Ship {
  readonly id: string
  name: string
  flags: { nodes: { id: string; name: string }[] }
}
const FLAGS = ['red', 'blue', 'green'].map((name, at) => ({ id: `F-${at + 1}`, name }))
const PILOTS = [
  { id: 'P-1', name: 'Ann' },
  { id: 'P-2', name: 'Bob' },
  { id: 'P-3', name: 'Cleo' },
  { id: 'P-4', name: 'Bob' },
]

let harbor: Served
let ships: readonly Ship[]
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.get('/ships', (c) => c.json(ships.map(({ id, name }) => ({ id, name }))))
    app.get('/ships/:id', (c) => {
      const ship = ships.find(({ id }) => id === c.req.param('id'))
      return ship ? c.json({ ...ship, place: { quay: 'North' } }) : c.json({ message: 'no such ship' }, 404)
    })
    app.patch('/ships/:id', async (c) => {
      const ship = ships.find(({ id }) => id === c.req.param('id'))
      const { flags }: { flags?: string[] } = await c.req.json()
      if (ship && flags) ship.flags.nodes = FLAGS.filter(({ id }) => flags.includes(id))
      return c.json({ id: c.req.param('id'), name: ship?.name })
    })
    app.get('/berths/:id', (c) => c.json({ id: c.req.param('id'), quay: 'South' }))
    app.get('/pilots', (c) => {
      const page = Number(c.req.query('page'))
      return c.json(c.req.query('quay') === 'North' ? PILOTS.slice(2 * page - 2, 2 * page) : [])
    })
    app.get('/pilots/:id', (c) => c.json({ id: c.req.param('id'), badge: `badge of ${c.req.param('id')}` }))
    app.get('/flags', (c) => c.json(FLAGS))
  })
})
afterAll(() => harbor.close())
beforeEach(() => {
  ships = ['Ada', 'Bo'].map((name, at) => ({
    id: `S-${at + 1}`,
    name,
    flags: { nodes: FLAGS.slice(0, 1) },
  }))
  harbor.log.splice(0)
  harbor.bodies.splice(0)
})

test('what the call lacks is read right before it', async () => {
  const ran = await harbor.run(
    'Ship("S-1").assign(berth=Berth("B-1"), pilot_name="Cleo", add_flag="blue", remove_flag="red")',
  )
  expect(ran).toMatchObject({ problems: [] })
  expect(harbor.bodies).toEqual([{ was: 'Ada', quay: 'South', pilot: 'badge of P-3', flags: ['F-2'] }])
  expect(harbor.log).toEqual([
    'GET /ships/S-1',
    'GET /berths/B-1',
    'GET /pilots?quay=North&page=1&per_page=2',
    'GET /pilots?quay=North&page=2&per_page=2',
    'GET /pilots?quay=North&page=3&per_page=2',
    'GET /pilots/P-3',
    'GET /flags',
    'GET /flags',
    'PATCH /ships/S-1',
  ])
})

test('arguments that are absent ask for nothing', async () => {
  expect(await harbor.run('Ship("S-2").assign()')).toMatchObject({ problems: [] })
  expect(harbor.log).toEqual(['GET /ships/S-2', 'PATCH /ships/S-2'])
  expect(harbor.bodies).toEqual([{ was: 'Bo' }])
})

test.each([
  ['pilot_name="Dan"', '`harbor.Pilot`: expected one Pilot with `name` "Dan", got 0.'],
  ['pilot_name="Bob"', '`harbor.Pilot`: expected one Pilot with `name` "Bob", got 2.'],
  ['pilot_name="ann"', '`harbor.Pilot`: expected one Pilot with `name` "ann", got 0.'],
  ['remove_flag="pink"', '`harbor.Flag`: expected one Flag with `name` "pink", got 0.'],
])('without exactly one row nothing is changed: %s', async (given, problem) => {
  const ran = await harbor.run(`Ship("S-1").assign(${given})`)
  expect(ran).toMatchObject({ problems: [problem], effects: ['0 not_sent'] })
  expect(harbor.log.filter((line) => line.startsWith('PATCH'))).toEqual([])
})

test('a target that is not there is not written', async () => {
  expect(await harbor.run('Ship("S-9").assign()')).toMatchObject({
    problems: ['`harbor.Ship`: the API has no such row: "no such ship".'],
  })
  expect(harbor.log).toEqual(['GET /ships/S-9'])
})

test('labels that cannot be seen are not replaced', async () => {
  ships = [{ id: 'S-1', name: 'Ada', flags: { nodes: [] } }].map((ship) => ({
    ...ship,
    flags: JSON.parse('null'),
  }))
  expect(await harbor.run('Ship("S-1").assign(add_flag="blue")')).toMatchObject({
    problems: ['`harbor.Ship.assign`: expected rows at `flags.nodes`, got no list of labels.'],
  })
  expect(harbor.bodies).toEqual([])
})

test('of several rows each sees what the ones before did', async () => {
  const program = 'rows = ["blue", "green"]\nrows => Ship("S-1").assign(add_flag=_.content)'
  expect(await harbor.run(program)).toMatchObject({ problems: [] })
  expect(harbor.bodies).toEqual([
    { was: 'Ada', flags: ['F-1', 'F-2'] },
    { was: 'Ada', flags: ['F-1', 'F-2', 'F-3'] },
  ])
})

test('a row whose reads fail is reported, and the rest is not sent', async () => {
  const program = 'rows = ["blue", "pink", "green"]\nrows => Ship("S-1").assign(add_flag=_.content)'
  const ran = await harbor.run(program)
  expect(ran.problems?.[0]).toBe('`harbor.Flag`: expected one Flag with `name` "pink", got 0.')
  expect(ran.effects).toEqual(['0 done', '1 not_sent', '2 not_sent'])
  expect(harbor.bodies).toEqual([{ was: 'Ada', flags: ['F-1', 'F-2'] }])
})

test('who may not make its reads may not use the call', async () => {
  const sees = (_: string, capability: string) => capability !== 'flag_query'
  expect((await harbor.run('Ship("S-1").assign()', { sees })).rejected).toEqual([
    expect.stringContaining('assign'),
  ])
  const ran = await harbor.run('Ship("S-1").assign(add_flag="blue")', { sees: () => true, allows: sees })
  expect(ran).toMatchObject({ problems: ['`harbor.Flag`: you no longer have the right to this call.'] })
  expect(harbor.bodies).toEqual([])
})
