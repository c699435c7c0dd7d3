import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { pin } from '../../../../src/catalog/digest.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { execute } from '../../../../src/execution/executor.ts'
import { readProgram } from '../../../../src/language/program.ts'
import { worldOf } from '../../../execution/plans.ts'
import { sessionOf } from '../../../language/sessions.ts'
import { catalogIn, runOn, tableOf, whyIn } from '../imported.ts'

/* Lists below an object of a row that says where in the list they are: `songs: {items, total, next}`. */

const text = { type: 'string' }
const integer = { type: 'integer' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const object = (properties: Json) => ({ type: 'object', properties })
const page = (name: string) =>
  object({ href: text, items: { type: 'array', items: ref(name) }, total: integer, next: text })
const json = (schema: Json) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
const query = (name: string, schema: Json, required = false) => ({ name, in: 'query', required, schema })
const key = { name: 'id', in: 'path', required: true, schema: text }
const kinds = { type: 'array', items: { type: 'string', enum: ['singer', 'song'] } }

const reading = readOpenapi({
  path: 'jukebox.json',
  id: 'jukebox',
  file: {
    file: 'jukebox.json',
    text: JSON.stringify({
      openapi: '3.0.3',
      servers: [{ url: 'https://jukebox.example' }],
      components: {
        schemas: {
          Singer: object({ id: text, name: text, songs: page('Song') }),
          Song: object({ id: text, title: text }),
          Box: object({
            id: text,
            place: text,
            owner: object({ name: text }),
            plays: object({ data: { type: 'array', items: ref('Play') }, has_more: { type: 'boolean' } }),
          }),
          Play: object({ at: text, song: ref('Song') }),
        },
      },
      paths: {
        '/singers/{id}': { parameters: [key], get: { responses: json(ref('Singer')) } },
        '/songs/{id}': { parameters: [key], get: { responses: json(ref('Song')) } },
        '/boxes/{id}': { parameters: [key], get: { responses: json(ref('Box')) } },
        '/singers/{id}/songs': {
          parameters: [key],
          get: { parameters: [query('offset', integer)], responses: json(page('Song')) },
        },
        '/search': {
          get: {
            summary: 'Search for music',
            parameters: [
              query('q', text, true),
              query('type', kinds, true),
              query('limit', { type: 'integer', maximum: 2 }),
              query('offset', integer),
            ],
            responses: json(object({ singers: page('Singer'), songs: page('Song') })),
          },
        },
      },
    }),
  },
})
const jukebox = catalogIn(reading)

const song = (id: string) => ({ id, title: `Song ${id}` })

test('they are taught as rows; a list that has a call of its own by the call', () => {
  expect(tableOf(jukebox, 'Box')).toContain('e1($)\tBox · id, place, owner json, plays [Play]\n')
  expect(tableOf(jukebox, 'Singer', 'Song')).toContain('e1($)\tSinger · id, name, songs [e2]\n')
  expect(whyIn(reading, 'Box')).toContain('`plays`: the objects in `plays.data` of each row.')
})

test('their rows are read without another request, and with all pages where a call lists them', async () => {
  const plays = { data: [{ at: 'noon', song: song('s1') }], has_more: false }
  expect(await runOn(jukebox, 'Box("b1").plays[at,song]', { '/boxes/b1': { id: 'b1', plays } })).toEqual({
    rows: [[{ at: 'noon', song: 's1' }]],
    calls: ['GET /boxes/b1'],
  })
  const pages = {
    '/singers/a/songs?offset=0': { items: [song('s1')], next: 'https://jukebox.example/singers/a/songs' },
    '/singers/a/songs?offset=1': { items: [song('s2')], next: null },
  }
  expect((await runOn(jukebox, 'Singer("a").songs.aggregate(n=count)', pages)).rows).toEqual([[{ n: 2 }]])
})

test('the object stays a column of its row', async () => {
  const plays = { data: [], has_more: false }
  const answers = { '/boxes/b1': { id: 'b1', plays } }
  expect((await runOn(jukebox, 'Box("b1")[id,plays]', answers)).rows).toEqual([[{ id: 'b1', plays }]])
  expect((await runOn(jukebox, 'Box("b1")[more=plays.has_more]', answers)).rows).toEqual([[{ more: false }]])
})

test('a list that the answer cut is marked, and feeds no sum in silence', async () => {
  const read = readProgram('Box("b1").plays[at]\nBox("b1").plays.limit(1)[at]', sessionOf([jukebox]))
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join(' '))
  const body = { id: 'b1', plays: { data: [{ at: 'noon' }], has_more: true } }
  const reply = { status: 200, headers: {}, body, bytes: 1, requests: 1 }
  const wire = { send: () => Promise.resolve({ ok: true as const, reply }) }
  const { results, problems } = await execute(read.plan, worldOf(pin(jukebox), { wire }))
  expect(results.map(({ partial }) => partial)).toEqual(['failed', undefined])
  expect(problems.map(({ code, message }) => [code, message])).toEqual([
    ['list_cut', 'The API has more rows of `plays` than its answer holds for 1 row of Box.'],
  ])
})

test('a search that answers lists of several entities is a search of each', async () => {
  const { capabilities } = jukebox
  expect(capabilities.filter(({ kind }) => kind === 'search').map(({ entity }) => entity)).toEqual([
    'Singer',
    'Song',
  ])
  expect(capabilities.map(({ entity }) => entity)).not.toContain('Search')
  expect(reading.operations).toMatchObject({ total: 5, reachable: 5 })
  expect(tableOf(jukebox, 'Song')).toContain('e1~$\t[e1] · Search for music\n')
  const answers = {
    '/search?q=moon&type=song&offset=0&limit=2': {
      songs: { items: [song('s1'), song('s2')], next: 'https://jukebox.example/search?offset=2' },
    },
    '/search?q=moon&type=song&offset=2&limit=2': { songs: { items: [song('s3')], next: null } },
  }
  expect(await runOn(jukebox, 'Song~"moon".aggregate(n=count)', answers)).toEqual({
    rows: [[{ n: 3 }]],
    calls: Object.keys(answers).map((address) => `GET ${address}`),
  })
})
