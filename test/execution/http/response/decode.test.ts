import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import type { ServedCatalog, Entity } from '../../../../src/catalog/model.ts'
import type { AnswerShape } from '../../../../src/catalog/calls/http-request.ts'
import { decodeRow, type Decoding } from '../../../../src/execution/http/response/decode.ts'
import { embeddedChildren } from '../../../../src/execution/http/response/embedded.ts'
import { locateRows } from '../../../../src/execution/http/response/rows.ts'
import { apiMessage } from '../../../../src/execution/http/response/message.ts'
import { entity, field, integer } from '../../tracker.ts'

const user = entity('User', [field('id'), field('name')])
const issue = entity('Issue', [
  field('id', integer),
  field('title'),
  field('author', { kind: 'reference', entity: 'User' }),
  field('city', { kind: 'json' }, ['place', 'city']),
])
const repository = entity(
  'Repository',
  [field('owner', { kind: 'json' }, ['owner', 'login']), field('repo', { kind: 'json' }, ['name'])],
  { key: ['owner', 'repo'] },
)

function decode(raw: Json, one: Entity, more: Partial<Decoding> = {}) {
  const catalog: ServedCatalog = {
    id: 'c',
    version: 1,
    origin: 'https://api.example',
    otherOrigins: [],
    aliases: [],
    entities: [user, issue, repository],
    capabilities: [],
    auth: { scheme: 'none' },
    unsupported: [],
  }
  const decoded = decodeRow(raw, { catalog, entity: one, ambient: new Map(), ...more })
  return 'row' in decoded ? { values: decoded.row.values, identity: decoded.row.identity } : decoded
}

test('takes declared fields by their paths', () => {
  expect(decode({ id: 1, title: null, other: 2, place: { city: 'Rome' } }, issue)).toEqual({
    values: { id: 1, title: null, city: 'Rome' },
    identity: { id: '1' },
  })
})

test('an embedded reference shows as its id', () => {
  expect(decode({ id: 1, author: { id: 'u1', name: 'x' } }, issue)).toMatchObject({
    values: { id: 1, author: 'u1' },
  })
})

test.each([
  ['another id key', { _id: 7, title: 'x' }, {}, { id: '7' }],
  ['a bare id', 7, {}, { id: '7' }],
  ['a path to it', { meta: { ref: 'r1' }, id: 3 }, { idFrom: ['meta', 'ref'] }, { id: 'r1' }],
])('finds the id in %s', (_, raw, more, identity) => {
  expect(decode(raw, { ...issue, ...more })).toMatchObject({ identity })
})

test('the requested id rules where the entity says so', () => {
  const requested = { id: '9' }
  expect(decode({ id: 1 }, { ...issue, implicitIdentity: true }, { requested })).toMatchObject({
    identity: { id: '9' },
  })
  expect(decode({ id: 1 }, issue, { requested })).toMatchObject({ identity: { id: '1' } })
  expect(decode({ id: 1 }, issue, { requested, forced: true })).toMatchObject({ identity: { id: '9' } })
  expect(decode({ title: 'x' }, issue, { requested })).toEqual({
    values: { id: 9, title: 'x' },
    identity: { id: '9' },
  })
})

test('a compound id takes its parts from row and call', () => {
  expect(decode({ owner: { login: 'a' }, name: 'b' }, repository)).toMatchObject({
    identity: { owner: 'a', repo: 'b' },
  })
  expect(decode({ name: 'b' }, repository, { ambient: new Map([['owner', 'a']]) })).toEqual({
    values: { owner: 'a', repo: 'b' },
    identity: { owner: 'a', repo: 'b' },
  })
  expect(decode({ name: 'b' }, repository)).toEqual({ values: { repo: 'b' }, identity: undefined })
})

test.each([[[1, 2]], [null], [true], [{ unrelated: 1 }]])('%j is no row', (raw) => {
  expect(decode(raw, { ...issue })).toHaveProperty('bad')
})

test('never reads what a prototype holds', () => {
  const sly = entity('Sly', [field('id'), field('constructor'), field('toString')])
  expect(decode({ id: 'x' }, sly)).toEqual({ values: { id: 'x' }, identity: { id: 'x' } })
})

const response = (more: Partial<AnswerShape>): AnswerShape => ({ single: false, scalar: false, ...more })

test.each<[string, Json, Partial<AnswerShape>, 'many' | 'one', unknown]>([
  [
    'a list at a path',
    { data: { items: [1] } },
    { path: ['data', 'items'] },
    'many',
    { ok: true, rows: [1] },
  ],
  ['a bare list', [1, 2], { path: ['items'] }, 'many', { ok: true, rows: [1, 2] }],
  ['the default key', { results: [1] }, {}, 'many', { ok: true, rows: [1] }],
  ['an empty body', null, {}, 'many', { ok: true, rows: [] }],
  ['a list that is null', { items: null }, { path: ['items'] }, 'many', { ok: true, rows: [] }],
  [
    'inner objects',
    { items: [{ data: { id: 1 } }] },
    { path: ['items'], innerKey: 'data' },
    'many',
    { ok: true, rows: [{ id: 1 }] },
  ],
  ['one object as a list', { id: 1 }, { single: true }, 'many', { ok: true, rows: [{ id: 1 }] }],
  ['an indexed path', [[], [{ id: 1 }]], { path: [1] }, 'many', { ok: true, rows: [{ id: 1 }] }],
  ['a bare number', 5, { scalar: true }, 'many', { ok: true, rows: [5] }],
  ['an object of a get', { data: { id: 1 } }, { path: ['data'] }, 'one', { ok: true, rows: [{ id: 1 }] }],
  [
    'a missing key',
    { data: [] },
    { path: ['items'] },
    'many',
    { ok: false, path: 'items', found: 'an object with `data`' },
  ],
  [
    'a null on the way',
    { data: null },
    { path: ['data', 'items'] },
    'many',
    { ok: false, path: 'data.items', found: 'null' },
  ],
  [
    'an object for a list',
    { items: {} },
    { path: ['items'] },
    'many',
    { ok: false, path: 'items', found: 'an empty object' },
  ],
  [
    'a prototype key',
    { id: 1 },
    { path: ['constructor'] },
    'many',
    { ok: false, path: 'constructor', found: 'an object with `id`' },
  ],
])('locates rows: %s', (_, body, how, expects, located) => {
  expect(locateRows(body, response(how), expects)).toEqual(located)
})

const row = (raw: Json) => ({ values: {}, raw })

test('children stand in the parent, or nothing is known', () => {
  const via = { kind: 'parent', path: ['kids', { wildcard: true }] } as const
  expect(embeddedChildren(row({ kids: [1, { id: 2 }, null] }), 'kids', via)).toEqual([1, { id: 2 }])
  expect(embeddedChildren(row({ kids: [] }), 'kids', via)).toEqual([])
  expect(embeddedChildren(row({ kids: null }), 'kids', via)).toEqual([])
  expect(embeddedChildren(row({}), 'kids', via)).toBeUndefined()
})

test.each([
  [{ message: 'no' }, 'no'],
  [{ errorMessages: ['a', 'b'] }, 'a; b'],
  [{ errors: { title: 'is blank' } }, 'title: is blank'],
  [{ error: 'invalid_grant', error_description: 'expired' }, 'invalid_grant; expired'],
  [{ error: { message: 'deep' } }, 'deep'],
  [{ detail: 'missing' }, 'missing'],
  [
    { title: 'Invalid', status: 422, errors: [{ detail: 'is blank', pointer: '#/title' }] },
    'Invalid (#/title: is blank)',
  ],
  [
    { errors: [{ title: 'Invalid', detail: 'is blank', source: { pointer: '/data/title' } }] },
    '/data/title: is blank',
  ],
  [
    { title: 'Bad', errors: { title: ['is blank', 'is short'], year: 'is old' } },
    'Bad (title: is blank, is short; year: is old)',
  ],
  [
    { message: 'Invalid', errors: [{ resource: 'Stone', code: 'missing' }] },
    'Invalid ({"resource":"Stone","code":"missing"})',
  ],
  [
    { message: 'Gone', errors: [{ message: 'Gone' }, { message: 'Late' }, { message: 'Late' }] },
    'Gone (Late)',
  ],
  [{ detail: [{ loc: ['body', 'year'], msg: 'is no number', type: 'int' }] }, 'body.year: is no number'],
  [
    { error: { message: 'Invalid', param: 'year', errors: [{ message: 'Invalid', reason: 'old' }] } },
    'year: Invalid',
  ],
  [{ error: null, msg: 'late' }, 'late'],
  ['plain\u0007 text\u202E', 'plain text'],
  [{ message: 'x'.repeat(2000) }, `${'x'.repeat(767)}…`],
  [{ message: '\u001b[31mred\u001b[0m\nand\u202e back\u200bwards' }, 'red and backwards'],
])('reads the message of an API', (body, message) => {
  expect(apiMessage(body)).toBe(message)
})
