import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { serveFixture, type Served } from './served.ts'

/* Bytes as arguments: base64 as it is, or text that is encoded on its way. */

let harbor: Served
beforeAll(async () => {
  harbor = await serveFixture('harbor', (app) => {
    app.put('/ships/:id/papers', (c) => c.body(null, 204))
    app.get('/ships/:id', (c) => c.json({ id: c.req.param('id'), name: 'Ada L.' }))
  })
})
afterAll(() => harbor.close())
beforeEach(() => void harbor.bodies.splice(0))

const file = (papers: string) => harbor.run(`Ship("S-1").papers(papers=${papers})`)

test('base64 is sent in the alphabet of the API', async () => {
  expect(await file('"-_8", stamp="+/8="')).toMatchObject({ problems: [] })
  expect(await file('"aGVs\\nbG8"')).toMatchObject({ problems: [] })
  expect(harbor.bodies).toEqual([{ papers: '+/8=', stamp: '-_8=' }, { papers: 'aGVsbG8=' }])
})

test('text in braces is encoded', async () => {
  const text = 'Grüße 👋 '.repeat(3000)
  expect(await file(`{text: <<T\n${text}\nT\n}, stamp={text: "?>?>"}`)).toMatchObject({ problems: [] })
  expect(harbor.bodies).toEqual([{ papers: Buffer.from(`${text}\n`).toString('base64'), stamp: 'Pz4_Pg==' }])
})

test('what was read is put in, as bytes or as text', async () => {
  const program = 'ada = Ship("S-1")\nShip("S-2").papers(papers={text: ada.name})'
  expect(await harbor.run(program)).toMatchObject({ problems: [] })
  expect(harbor.bodies).toEqual([{ papers: 'QWRhIEwu' }])
})

test('text that is no base64 is refused, with the braces that it lacks', async () => {
  expect(await file('"the papers"')).toEqual({
    rejected: ['`papers` must be base64, or {text: …} for text that is encoded here, got "the papers".'],
  })
  expect(await harbor.run('ada = Ship("S-1")\nShip("S-2").papers(papers=ada.name)')).toMatchObject({
    problems: [
      '`harbor.Ship.papers`: `papers` must be base64, or {text: …} for text that is encoded here, got "Ada L.".',
    ],
  })
  expect(harbor.bodies).toEqual([])
})

test.each([
  '"file:///etc/passwd"',
  '"@/etc/passwd"',
  '{path: "/etc/passwd"}',
  '{uri: "https://example.com/x"}',
])('a name of bytes is none: %s', async (papers) => {
  expect((await file(papers)).rejected?.[0]).toMatch(/papers/)
  expect(harbor.bodies).toEqual([])
})
