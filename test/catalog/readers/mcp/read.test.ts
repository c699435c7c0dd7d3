import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { describeType } from '../../../../src/catalog/describe.ts'
import { readMcp } from '../../../../src/catalog/readers/mcp/read.ts'

/** What a listing is read as; the tools named are declared reads. */
function read(
  tools: readonly Json[],
  { names = [] as readonly string[], trustsHints = false, more = {} } = {},
) {
  const { catalog, errors, warnings } = readMcp({
    id: 'desk',
    server: 'desk',
    listing: { tools, ...more },
    reads: { names, trustsHints },
  })
  expect(errors).toEqual([])
  if (!catalog) throw new Error('no catalog')
  return { catalog, codes: warnings.map(({ code }) => code) }
}

const object = (properties: { readonly [name: string]: Json }, required: readonly string[] = []): Json => ({
  type: 'object',
  properties,
  required,
})

const tool = (name: string, more: { readonly [key: string]: Json } = {}) => ({
  name,
  inputSchema: object({}),
  ...more,
})

/** `File.read_text` and so on. */
const methods = (tools: readonly Json[]) =>
  read(tools).catalog.capabilities.map(({ entity, label }) => `${entity}.${label}`)

describe('names', () => {
  test('tools that share a noun share an entity', () => {
    expect(
      methods(
        [
          'read_text_file',
          'write_file',
          'search_files',
          'directory_tree',
          'list_allowed_directories',
          'ping',
        ].map((name) => tool(name)),
      ),
    ).toEqual([
      'File.read_text',
      'File.write',
      'File.search',
      'Directory.tree',
      'Directory.list_allowed',
      'Tools.ping',
    ])
  })

  test('a prefix that all tools share is the name of the server', () => {
    expect(methods(['git_add', 'git_branch_create', 'git_branch_list'].map((name) => tool(name)))).toEqual([
      'Tools.add',
      'Branch.create',
      'Branch.list',
    ])
  })

  test('every label can be written, and none is another step', () => {
    expect(
      methods(['sort_notes', 'limit_notes', 'e1', '2fa', 'a b', '查询'].map((name) => tool(name))),
    ).toEqual(['Note.sort_', 'Note.limit_', 'Tools.call_e1', 'Tools.call_2fa', 'Tools.a_b', 'Tools.call__'])
  })
})

describe('effects', () => {
  const hinted = tool('list_notes', { annotations: { readOnlyHint: true } })

  test('a tool is a change, whatever it says of itself', () => {
    expect(read([hinted]).catalog.capabilities[0]).toMatchObject({ kind: 'action', effect: 'write' })
  })

  test('the operator declares reads, by name or by trust in hints', () => {
    const asRead = { kind: 'query', effect: 'read' }
    expect(read([hinted], { trustsHints: true }).catalog.capabilities[0]).toMatchObject(asRead)
    expect(read([tool('list_notes')], { names: ['list_notes'] }).catalog.capabilities[0]).toMatchObject(
      asRead,
    )
    expect(read([tool('list_notes')], { trustsHints: true }).catalog.capabilities[0]).toMatchObject({
      effect: 'write',
    })
    expect(read([], { names: ['no_such'] }).codes).toEqual(['unknown_tool'])
  })
})

describe('types', () => {
  test.each<[Json, string]>([
    [{ type: 'string' }, 'str'],
    [{ type: ['string', 'null'] }, 'str'],
    [{ enum: ['a', 'b'] }, 'a|b'],
    [{ anyOf: [{ type: 'integer' }, { type: 'null' }] }, 'int'],
    [{ anyOf: [{ const: 'x' }, { const: 'y' }] }, 'x|y'],
    [{ anyOf: [{ type: 'integer' }, { type: 'string' }] }, 'json'],
    [{ type: 'string', format: 'date-time' }, 'datetime'],
    [{ type: 'array', items: { type: 'number' } }, '[num]'],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, '[a|b]'],
    [{ $ref: '#/$defs/point' }, '{x, y?}'],
    [{ $ref: '#/$defs/round' }, '{next?}'],
    [{ $ref: 'https://elsewhere.example/schema' }, 'json'],
    [{ allOf: [{ $ref: '#/$defs/point' }, object({ z: {} })] }, '{x, y?, z?, …}'],
    ['nonsense', 'json'],
  ])('%j is %s', (schema, type) => {
    const point = {
      ...Object(object({ x: { type: 'number' }, y: { type: 'number' } }, ['x'])),
      additionalProperties: false,
    }
    const round = {
      type: 'object',
      properties: { next: { $ref: '#/$defs/round' } },
      additionalProperties: false,
    }
    const inputSchema = { type: 'object', properties: { it: schema }, $defs: { point, round } }
    const [parameter] = read([tool('x', { inputSchema })]).catalog.capabilities[0]?.parameters ?? []
    expect(parameter && describeType(parameter.type)).toBe(type)
  })

  test('deep and wide schemas end in json', () => {
    let deep: Json = { type: 'string' }
    for (let level = 0; level < 5000; level++) deep = { type: 'array', items: deep }
    const [parameter] =
      read([tool('x', { inputSchema: object({ it: deep }) })]).catalog.capabilities[0]?.parameters ?? []
    expect(parameter && describeType(parameter.type)).toBe('[[[[[[[json]]]]]]]')
  })
})

describe('answers', () => {
  const note = object({ id: { type: 'string' }, title: { type: 'string' } })
  const rowsOf = (outputSchema: Json) => {
    const { catalog } = read([tool('list_notes', { outputSchema })])
    const { call } = catalog.capabilities[0] ?? {}
    const operation = call?.kind === 'mcp' && call.operation.type === 'tool' ? call.operation : undefined
    const entities = catalog.entities.map(
      ({ name, key, fields, relations }) =>
        `${name}(${key.join()}) ${[...fields, ...relations].map((one) => one.name).join(' ')}`,
    )
    return { rows: operation?.rows, entities }
  }

  test('a list, and how much of it there is, gives the rows of the list', () => {
    const notes = { type: 'array', items: note }
    expect(rowsOf(object({ notes, total: { type: 'integer' }, nextCursor: { type: 'string' } }))).toEqual({
      rows: ['notes'],
      entities: ['Note(id) id title'],
    })
  })

  test('lists inside a row are relations', () => {
    const tags = { type: 'array', items: object({ label: { type: 'string' } }) }
    const authors = { type: 'array', items: object({ name: { type: 'string' } }) }
    expect(rowsOf(object({ tags, authors }))).toEqual({
      rows: [],
      entities: ['Note() tags authors tags authors', 'Tag() label', 'Author() name'],
    })
  })

  test('without a schema a row is text, or data', () => {
    expect(read([tool('echo')]).catalog.entities[0]?.fields.map(({ name }) => name)).toEqual(['text', 'data'])
  })
})

test('resources are an entity that is listed and got, and each template a read', () => {
  const resourceTemplates = [{ name: 'One note', uriTemplate: 'notes://{folder}/{id}{?part}' }, { name: '' }]
  const { catalog } = read([], { more: { resources: [], resourceTemplates } })
  expect(catalog.entities.map(({ name, key }) => [name, ...key])).toEqual([['Resource', 'uri']])
  expect(
    catalog.capabilities.map(({ name, kind, effect, parameters }) => [name, kind, effect, parameters.length]),
  ).toEqual([
    ['resources_list', 'query', 'read', 0],
    ['resources_read', 'get', 'read', 0],
    ['resource_one_note', 'query', 'read', 3],
  ])
})

test('what cannot be read is left out, and said', () => {
  const { catalog, codes } = read([
    null,
    7,
    {},
    { name: '' },
    tool('echo'),
    tool('echo'),
    { name: 'bare', inputSchema: 9 },
  ])
  expect(catalog.capabilities.map(({ name }) => name)).toEqual(['echo', 'bare'])
  expect(codes).toContain('tools_unread')
})

test('descriptions are one bounded line', () => {
  const description = `Reads a file\u001B[31m. ${'Then more. '.repeat(1000)}`
  const { catalog } = read([
    tool('x', { description: `${'y'.repeat(10_000)}\n${description}` }),
    tool('z', { description: `A sentence that says enough here. ${description}` }),
  ])
  expect(catalog.capabilities.map((one) => one.description?.length)).toEqual([300, 32])
})
