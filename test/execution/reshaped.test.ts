import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from './served.ts'

/* Answers whose rows do not stand in them as they are, and answers that a second one completes. */

let harbor: Served
let seals: unknown
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.get('/rosters', (c) =>
      c.json({
        rosters: [
          { ship: 'S-1', crew: [{ id: 'c1', name: 'Al' }] },
          {
            ship: 'S-2',
            crew: [
              { id: 'c2', name: 'Bea' },
              { id: 'c3', name: 'Cy' },
            ],
          },
          { ship: 'S-3' },
        ],
      }),
    )
    app.get('/ships/:id/holds', (c) =>
      c.json(
        c.req.param('id') === 'S-1'
          ? { holds: [{ crates: [{ id: 'x1' }] }, {}, { crates: [{ id: 'x2' }, { id: 'x3' }] }] }
          : { decks: [] },
      ),
    )
    app.get('/codes', (c) => c.json({ codes: ['A', { letter: 'B' }, 'C'] }))
    app.get('/manifests/:id', (c) =>
      c.json(c.req.param('id') === 'S-1' ? { weight: 7 } : { weight: 8, sealCode: 'own' }),
    )
    app.get('/seals/:id', (c) =>
      seals === undefined ? c.json({ message: 'shut' }, 503) : c.json({ found: { seals } }),
    )
  })
})
afterAll(() => harbor.close())
beforeEach(() => void harbor.log.splice(0))

const SEALS = [{ mark: 'no pair' }, { mark: 'v2:s1:abc:9' }, { mark: 'v2:s1:def' }]

test('the list inside the one element that was asked for', async () => {
  expect(await harbor.run('Sailor{ship=Ship("S-2")}[name]')).toMatchObject({
    results: { Sailor: [{ name: 'Bea' }, { name: 'Cy' }] },
    problems: [],
  })
})

test.each(['S-3', 'S-9'])('nothing where no element has it: %s', async (ship) => {
  expect(await harbor.run(`Sailor{ship="${ship}"}`)).toMatchObject({ results: { Sailor: [] }, problems: [] })
})

test('the lists inside all elements, one after another', async () => {
  expect(await harbor.run('Crate{ship="S-1"}')).toMatchObject({
    results: { Crate: [{ id: 'x1' }, { id: 'x2' }, { id: 'x3' }] },
    problems: [],
  })
})

test('a path without a value is reported', async () => {
  expect(await harbor.run('Crate{ship="S-2"}')).toMatchObject({
    problems: ['`harbor.Crate`: expected rows at `holds`, got an object with `decks`.'],
  })
})

test('bare ids become rows', async () => {
  expect(await harbor.run('Code')).toMatchObject({
    results: { Code: [{ letter: 'A' }, { letter: 'B' }, { letter: 'C' }] },
    problems: [],
  })
})

test('a second answer completes the first, and fields are made of both', async () => {
  seals = SEALS
  expect(await harbor.run('Manifest("S-1", lang="en")')).toMatchObject({
    results: { Manifest: [{ ship: 'S-1', weight: 7, seals: SEALS, seal: 's1:abc' }] },
    problems: [],
  })
  expect(harbor.log).toEqual(['GET /manifests/S-1', 'GET /seals/S-1?lang=en'])
})

test('what the first answer says itself goes before', async () => {
  seals = SEALS
  expect(await harbor.run('Manifest("S-2")[seal]')).toMatchObject({
    results: { Manifest: [{ seal: 'own' }] },
  })
})

test('without the second answer the first is kept, with a warning', async () => {
  seals = undefined
  expect(await harbor.run('Manifest("S-1")')).toMatchObject({
    results: { Manifest: [{ ship: 'S-1', weight: 7, seal: null }] },
    problems: [expect.stringContaining('`seals` of 1 row of Manifest could not be read and are empty')],
  })
})

test('a second answer of another shape adds nothing', async () => {
  seals = null
  expect(await harbor.run('Manifest("S-1")')).toMatchObject({
    results: { Manifest: [{ ship: 'S-1', weight: 7, seals: null, seal: null }] },
    problems: [],
  })
})
