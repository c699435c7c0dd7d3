import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { pin } from '../../../../src/catalog/digest.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { execute } from '../../../../src/execution/executor.ts'
import type { WireCall } from '../../../../src/execution/wire.ts'
import { readProgram } from '../../../../src/language/program.ts'
import { teachingTable } from '../../../../src/teaching/table.ts'
import { worldOf } from '../../../execution/plans.ts'
import { sessionOf } from '../../../language/sessions.ts'

/* Lists of objects inside of rows: a zone holds its record sets, and each of those its records. */

const text = { type: 'string' }
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const json = (schema: Json) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
const id = { name: 'id', in: 'path', required: true, schema: text }

const { catalog } = readOpenapi({
  path: 'dns.json',
  id: 'dns',
  file: {
    file: 'dns.json',
    text: JSON.stringify({
      openapi: '3.0.3',
      servers: [{ url: 'https://dns.example' }],
      components: {
        schemas: {
          Zone: {
            type: 'object',
            properties: {
              id: text,
              name: text,
              rrsets: { type: 'array', items: ref('RRSet') },
              notes: { type: 'array', items: { type: 'object', properties: { text, by: text } } },
              tags: { type: 'array', items: text },
            },
          },
          RRSet: {
            type: 'object',
            properties: {
              name: text,
              type: text,
              ttl: { type: 'integer' },
              queries: { type: 'string', format: 'int64' },
              records: { type: 'array', items: ref('Record') },
            },
          },
          Record: { type: 'object', properties: { content: text, disabled: { type: 'boolean' } } },
        },
      },
      paths: {
        '/zones': { get: { responses: json({ type: 'array', items: ref('Zone') }) } },
        '/zones/{id}': { parameters: [id], get: { responses: json(ref('Zone')) } },
      },
    }),
  },
})
if (!catalog) throw new Error('the document is not read')
const dns = catalog

const set = (name: string, type: string, queries: string, ...records: string[]) => ({
  name,
  type,
  ttl: 60,
  queries,
  records: records.map((content) => ({ content, disabled: false })),
})
const ZONES = [
  {
    id: 'one',
    name: 'one.example',
    rrsets: [set('www', 'A', '9007199254740993', '192.0.2.1', '192.0.2.2'), set('@', 'MX', '7', 'mail')],
    notes: [{ text: 'hi', by: 'ann' }],
    tags: ['a'],
  },
  { id: 'two', name: 'two.example', rrsets: [set('@', 'A', '5', '192.0.2.3')], notes: [], tags: [] },
]

/** The rows of a program, and the requests that it took. */
async function run(program: string) {
  const read = readProgram(program, sessionOf([dns, 'Zone']))
  if (!read.ok) throw new Error(read.problems.map(({ message }) => message).join(' '))
  const calls: WireCall[] = []
  const wire = {
    send: (call: WireCall) => {
      calls.push(call)
      const body = 'path' in call.target && call.target.path === '/zones' ? ZONES : (ZONES[0] ?? null)
      return Promise.resolve({
        ok: true as const,
        reply: { status: 200, headers: {}, body, bytes: 1, requests: 1 },
      })
    },
  }
  const { results, problems } = await execute(read.plan, worldOf(pin(dns), { wire }))
  expect(problems).toEqual([])
  return { rows: results[0]?.rows.map(({ values }) => values), calls: calls.length }
}

function table(...entities: readonly string[]): string {
  const { space } = sessionOf([dns, ...entities])
  const { digest } = pin(dns)
  const picks = [{ catalog: dns.id, digest, lens: 'all' as const, entities: entities.toSorted() }]
  const waves = [{ revision: 1, generation: 1, picks }]
  return teachingTable({
    waves,
    taughtRevision: 0,
    spaceOf: () => space,
    model: () => dns,
    allows: () => true,
  })
}

test('a list of objects is taught as rows, its columns with its entity', () => {
  expect(table('Zone')).toContain('e1($)\tZone · id, name, rrsets [RrSet], notes […], tags [str]\n')
  expect(table('RrSet', 'Zone')).toContain('e1\tRrSet · name, type, ttl int, queries int, records [Record]\n')
  expect(table('RrSet', 'Zone')).toContain('e2($)\tZone · id, name, rrsets [e1], notes […], tags [str]\n')
})

test('rows of rows are read without another request', async () => {
  expect(await run('Zone{}.rrsets[name,type]')).toEqual({
    rows: [
      { name: 'www', type: 'A' },
      { name: '@', type: 'MX' },
      { name: '@', type: 'A' },
    ],
    calls: 1,
  })
  expect(await run('Zone("one").rrsets{type=A}.records[content]')).toEqual({
    rows: [{ content: '192.0.2.1' }, { content: '192.0.2.2' }],
    calls: 1,
  })
  expect((await run('Zone{}.notes[by]')).rows).toEqual([{ by: 'ann' }])
})

test('they are counted, and digits in text are summed exactly', async () => {
  expect((await run('Zone{}.rrsets.group_by(type, n=count, queries=sum(queries))')).rows).toEqual([
    { type: 'A', n: 2, queries: '9007199254740998' },
    { type: 'MX', n: 1, queries: 7 },
  ])
  expect((await run('Zone{}.rrsets{queries>6}[type]')).rows).toEqual([{ type: 'A' }, { type: 'MX' }])
})

test('the list stays a column of its row', async () => {
  expect((await run('Zone("one")[name,notes]')).rows).toEqual([
    { name: 'one.example', notes: [{ text: 'hi', by: 'ann' }] },
  ])
  expect((await run('Zone("one")[first=rrsets.0.name]')).rows).toEqual([{ first: 'www' }])
})
