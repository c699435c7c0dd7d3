import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import type { ServedCatalog } from '../../../../src/catalog/model.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { sessionOf } from '../../../language/sessions.ts'
import { readProgram } from '../../../../src/language/program.ts'
import { cases } from '../../../law-cases.ts'
import { pin } from '../../../../src/catalog/digest.ts'
import { symbolSpace } from '../../../../src/session/exposure.ts'
import type { Wave } from '../../../../src/session/record.ts'
import { teachingTable } from '../../../../src/teaching/table.ts'
import { refusedBodies } from './bodies.ts'

const text = { type: 'string' }
const whole = (name: string) => ({ $ref: `#/components/schemas/${name}` })
const constant = (one: string, more: object = {}) => ({
  type: 'object',
  required: ['type'],
  properties: { type: { type: 'string', enum: [one] }, ...more },
})

/** Bodies with alternatives, as documents in use write them, by the path that takes them. */
const BODIES: Readonly<Record<string, Json>> = {
  // One object or the other.
  servers: {
    oneOf: [
      {
        type: 'object',
        required: ['name', 'size'],
        properties: { name: text, size: text, tags: { type: 'array', items: text } },
      },
      {
        type: 'object',
        required: ['names', 'size'],
        properties: { names: { type: 'array', items: text }, size: text },
      },
    ],
  },
  // A discriminator with a mapping of several values to one component.
  jobs: {
    oneOf: [whole('plain_job'), whole('resize_job')],
    discriminator: {
      propertyName: 'type',
      mapping: {
        reboot: '#/components/schemas/plain_job',
        stop: '#/components/schemas/plain_job',
        resize: '#/components/schemas/resize_job',
      },
    },
  },
  // An object of its own, with one of two parents.
  pages: {
    type: 'object',
    required: ['parent', 'title'],
    properties: {
      parent: {
        oneOf: [
          { type: 'object', required: ['page_id'], properties: { page_id: text } },
          {
            type: 'object',
            required: ['database_id'],
            properties: { database_id: text, view: { type: 'integer' } },
          },
        ],
      },
      title: { anyOf: [text, { type: 'null' }] },
      blocks: {
        type: 'array',
        items: { oneOf: [constant('heading_1', { level: { type: 'integer' } }), constant('heading_2')] },
      },
      value: { anyOf: [text, { type: 'number' }, { type: 'boolean' }, { type: 'array', items: text }] },
      level: { enum: [1, 2, 3] },
      mode: { oneOf: [{ type: 'boolean' }, { type: 'string', enum: ['fast', 'full'] }] },
      weight: { anyOf: [{ type: 'integer' }, text, { type: 'null' }] },
      icon: { type: ['string', 'object'], properties: { emoji: text } },
      extra: {},
    },
  },
  // What the alternatives require, and nothing else.
  notes: {
    type: 'object',
    properties: { text, html: text, pinned: { type: 'boolean' } },
    anyOf: [{ required: ['text'] }, { required: ['html'] }],
  },
  // Further members.
  tickets: { type: 'object', properties: { subject: text }, additionalProperties: true },
  // A base and its alternatives.
  rules: {
    allOf: [
      { type: 'object', required: ['label'], properties: { label: text } },
      {
        oneOf: [
          { type: 'object', required: ['every'], properties: { every: { type: 'integer' } } },
          { type: 'object', required: ['at'], properties: { at: { type: 'string', format: 'date-time' } } },
        ],
      },
    ],
  },
}

const made = {
  201: {
    description: 'made',
    content: { 'application/json': { schema: { type: 'object', properties: { id: text } } } },
  },
}

const document: Json = {
  openapi: '3.1.0',
  info: { title: 'Bodies', version: '1' },
  servers: [{ url: 'https://bodies.example' }],
  components: {
    schemas: {
      plain_job: {
        type: 'object',
        required: ['type'],
        properties: { type: { type: 'string', enum: ['reboot', 'stop'] } },
      },
      resize_job: constant('resize', { size: text }),
    },
  },
  paths: Object.fromEntries(
    Object.entries(BODIES).flatMap(([name, schema]) => [
      [`/${name}/{id}`, { get: { responses: made } }],
      [
        `/${name}`,
        {
          post: {
            requestBody: { required: true, content: { 'application/json': { schema } } },
            responses: made,
          },
        },
      ],
    ]),
  ),
}

function catalog(): ServedCatalog {
  const file = { file: 'api.json', text: JSON.stringify(document) }
  const { catalog: read, errors } = readOpenapi({ path: 'api.json', id: 'api', file })
  if (!read) throw new Error(JSON.stringify(errors))
  return read
}

function table(): string {
  const read = catalog()
  const entities = read.entities.map(({ name }) => name).toSorted()
  const picks = [{ catalog: read.id, digest: pin(read).digest, lens: 'all' as const, entities }]
  const waves: readonly Wave[] = [{ revision: 1, generation: 1, picks }]
  const model = () => read
  const spaceOf = (some: readonly Wave[]) => symbolSpace(some, model)
  return teachingTable({ waves, taughtRevision: 0, spaceOf, model, allows: () => true })
}

/** The problems of a program that knows the whole document. */
function problemsOf(program: string): readonly string[] {
  const read = readProgram(program, sessionOf([catalog()]))
  return read.ok ? [] : read.problems.map(({ message }) => message)
}

test(
  'what a document allows as a body is accepted, and is what the document allows',
  { timeout: 30_000 },
  async () => {
    expect(await refusedBodies(document, catalog(), cases(10_000, 100))).toEqual([])
  },
)

test('tables show the members of alternatives', () => {
  expect(
    table()
      .trim()
      .split('\n')
      .filter((row) => row.includes('create')),
  ).toEqual([
    'e1.create(body=$)\twrite e1 · body reboot{}|stop{}|resize{size?}',
    'e2.create()\twrite e2 · opt text, html, pinned bool',
    'e3.create(parent=$,title=$)\twrite e3 · parent {page_id?, database_id?, view? int}, title str|null · opt blocks [heading_1{level? int}|heading_2{}], value str|num|bool|[str], level 1|2|3, mode bool|fast|full, weight int|str, icon str|{emoji?}, extra json',
    'e4.create(label=$)\twrite e4 · opt every int, at date',
    'e5.create(size=$)\twrite e5 · opt name, tags [str], names [str]',
    'e6.create()\twrite e6 · opt subject',
  ])
})

test('a member that every alternative requires is required', () => {
  expect(problemsOf('Server.create(name=web)')).toHaveLength(1)
  expect(problemsOf('Server.create(size=small, names=[web, db])')).toEqual([])
  expect(problemsOf('Job.create(body={type: fly})')).toHaveLength(1)
  expect(problemsOf('Job.create(body=stop{})')).toEqual([])
})

const PAGE = 'parent={page_id: a}, title=t'

test.each([
  ['level=4', '`level` must be one of `1`, `2`, `3`, got 4.'],
  ['level=two', '`level` must be one of `1`, `2`, `3`, got "two".'],
  ['weight=true', '`weight` must be int|str, got true.'],
  ['weight=1.5', '`weight` must be int|str, got 1.5.'],
  ['weight=[1]', '`weight` must be int|str, got a list.'],
  ['weight={a: 1}', '`weight` must be int|str, got an object.'],
  ['mode=slow', '`mode` must be bool|fast|full, got "slow".'],
])('%s is refused where no alternative allows it', (argument, message) => {
  expect(problemsOf(`Page.create(${PAGE}, ${argument})`)).toEqual([message])
})

test.each(['level=2', 'weight=1', 'weight=heavy', 'weight="true"', 'weight=null', 'mode=true', 'mode=full'])(
  '%s is one of the alternatives',
  (argument) => {
    expect(problemsOf(`Page.create(${PAGE}, ${argument})`)).toEqual([])
  },
)

test('names that differ by a number are no misspelling', () => {
  expect(problemsOf('Page.create(parent={page_id: a}, title=null, blocks=[{type: heading_2}])')).toEqual([])
})

/** Each of the components is made of the next one. */
function chained(length: number, one: (next: Json) => Json): Json {
  const names = Array.from({ length }, (_, index) => `part_${index}`)
  const schemas = names.map((name, index) => [
    name,
    one(index + 1 < length ? whole(`part_${index + 1}`) : text),
  ])
  const post = {
    requestBody: {
      content: { 'application/json': { schema: { type: 'object', properties: { all: whole('part_0') } } } },
    },
    responses: made,
  }
  return {
    openapi: '3.1.0',
    paths: { '/things': { post } },
    components: { schemas: Object.fromEntries(schemas) },
  }
}

test.each([
  [
    '50,000 alternatives in alternatives',
    chained(50_000, (next) => ({ anyOf: [next, { type: 'integer' }] })),
  ],
  [
    'forty alternatives, six levels deep',
    chained(6, (next) => ({ anyOf: Array.from({ length: 40 }, () => next) })),
  ],
  [
    'values of every type, a hundred levels deep',
    chained(100, (next) => ({
      type: ['array', 'object', 'string'],
      items: next,
      properties: { a: next, b: next },
    })),
  ],
])('%s end in JSON', (_, hostile) => {
  const file = { file: 'api.json', text: JSON.stringify(hostile) }
  const reading = readOpenapi({ path: 'api.json', id: 'api', file })
  expect(reading.errors).toEqual([])
  const [all] = reading.catalog?.capabilities[0]?.parameters ?? []
  expect(all?.type.kind).toBe('json')
})
