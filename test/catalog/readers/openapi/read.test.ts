import { countTokens } from 'gpt-tokenizer/encoding/o200k_base'
import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { pin } from '../../../../src/catalog/digest.ts'
import { requestOf } from '../../../../src/catalog/call.ts'
import type { ServedCatalog } from '../../../../src/catalog/model.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'
import { symbolSpace } from '../../../../src/session/exposure.ts'
import type { Wave } from '../../../../src/session/record.ts'
import { teachingTable } from '../../../../src/teaching/table.ts'

function read(document: Json | string) {
  const text = typeof document === 'string' ? document : JSON.stringify(document)
  return readOpenapi({ path: 'api.json', id: 'api', file: { file: 'api.json', text } })
}

function catalogOf(document: Json | string): ServedCatalog {
  const { catalog, errors } = read(document)
  if (!catalog) throw new Error(errors.map(({ message }) => message).join('\n'))
  return catalog
}

/** `Entity.label(required, optional?) kind`, of every operation. */
function methods(document: Json | string): string[] {
  return catalogOf(document).capabilities.map(
    ({ entity, label, kind, parameters }) =>
      `${entity}.${label}(${parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`).join(', ')}) ${kind}`,
  )
}

const ok = (schema: Json) => ({ 200: { description: 'ok', content: { 'application/json': { schema } } } })
const list = (name: string) => ({ type: 'array', items: { $ref: `#/components/schemas/${name}` } })

function taught(catalog: ServedCatalog, entities: readonly string[]): string {
  const waves: Wave[] = [
    {
      revision: 1,
      generation: 1,
      picks: [{ catalog: catalog.id, digest: pin(catalog).digest, lens: 'all', entities }],
    },
  ]
  const model = () => catalog
  return teachingTable({
    waves,
    taughtRevision: 0,
    spaceOf: (some) => symbolSpace(some, model),
    model,
    allows: () => true,
  })
}

/** A document with five operations on each of its resources. */
function generated(operations: number): Json {
  const resources = Array.from(
    { length: operations / 5 },
    (_, index) => `Thing${String.fromCharCode(65 + (index % 26))}${index}`,
  )
  const schemas = resources.map((name) => [
    name,
    {
      type: 'object',
      properties: {
        id: { type: 'integer' },
        name: { type: 'string' },
        size: { type: 'number' },
        state: { enum: ['on', 'off'] },
      },
    },
  ])
  const paths = resources.flatMap((name) => {
    const one = { $ref: `#/components/schemas/${name}` }
    const body = { content: { 'application/json': { schema: one } } }
    const id = [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }]
    return [
      [
        `/${name.toLowerCase()}s`,
        {
          get: { summary: `List ${name}`, responses: ok(list(name)) },
          post: { requestBody: body, responses: ok(one) },
        },
      ],
      [
        `/${name.toLowerCase()}s/{id}`,
        {
          parameters: id,
          get: { responses: ok(one) },
          patch: { requestBody: body, responses: ok(one) },
          delete: { responses: { 204: { description: 'gone' } } },
        },
      ],
    ]
  })
  return {
    openapi: '3.1.0',
    info: { title: 'Generated', version: '1' },
    servers: [{ url: 'https://api.example' }],
    paths: Object.fromEntries(paths),
    components: { schemas: Object.fromEntries(schemas) },
  }
}

test('names RPC calls after their paths, and takes searches by POST for reads', () => {
  const call = (summary: string, properties: Json, answer: Json) => ({
    post: {
      summary,
      requestBody: { content: { 'application/json': { schema: { type: 'object', properties } } } },
      responses: ok({ type: 'object', properties: answer }),
    },
  })
  const document = {
    openapi: '3.0.0',
    servers: [{ url: 'https://kv.example' }],
    paths: {
      '/v3/kv/range': call(
        'Range gets the keys in a range.',
        { key: { type: 'string' } },
        {
          kvs: { type: 'array', items: { type: 'object', properties: { key: { type: 'string' } } } },
          count: { type: 'string' },
        },
      ),
      '/v3/kv/put': call(
        'Put writes a key.',
        { key: { type: 'string' }, value: { type: 'string' } },
        { header: { type: 'object' } },
      ),
    },
  }
  expect(methods(document)).toEqual(['Kv.query(key?) query', 'Kv.put(key?, value?) action'])
})

test('pages by a cursor of the answer', () => {
  const answer = {
    type: 'object',
    properties: {
      data: list('Cat'),
      meta: {
        type: 'object',
        properties: { next_cursor: { type: 'string' }, has_more: { type: 'boolean' } },
      },
    },
  }
  const document = {
    openapi: '3.0.0',
    servers: [{ url: 'https://cats.example' }],
    components: { schemas: { Cat: { type: 'object', properties: { id: { type: 'string' } } } } },
    paths: {
      '/cats': {
        get: {
          parameters: [
            { name: 'cursor', in: 'query', schema: { type: 'string' } },
            { name: 'limit', in: 'query', schema: { type: 'integer', maximum: 50 } },
          ],
          responses: ok(answer),
        },
      },
    },
  }
  expect(methods(document)).toEqual(['Cat.query() query'])
  const [capability] = catalogOf(document).capabilities
  expect(requestOf(capability)).toMatchObject({
    response: { path: ['data'] },
    paging: {
      responsePath: ['meta'],
      stop: { field: 'has_more', equals: false },
      parameters: [
        { name: 'cursor', kind: 'cursor', field: 'next_cursor' },
        { name: 'limit', kind: 'fixed', value: 50 },
      ],
    },
  })
})

test('reads Swagger 2.0: bodies, forms, lists and keys', () => {
  const { catalog, operations } = read({
    swagger: '2.0',
    host: 'zones.example',
    basePath: '/api/v1',
    schemes: ['https'],
    securityDefinitions: { key: { type: 'apiKey', in: 'header', name: 'X-API-Key' } },
    security: [{ key: [] }],
    definitions: {
      Zone: {
        type: 'object',
        properties: { id: { type: 'string' }, name: { type: 'string' }, kind: { type: 'string' } },
      },
    },
    paths: {
      '/servers/{server_id}/zones': {
        parameters: [{ name: 'server_id', in: 'path', required: true, type: 'string' }],
        get: {
          parameters: [{ name: 'zone', in: 'query', type: 'string' }],
          responses: {
            200: { description: 'all', schema: { type: 'array', items: { $ref: '#/definitions/Zone' } } },
          },
        },
        post: {
          parameters: [
            { name: 'zone_struct', in: 'body', required: true, schema: { $ref: '#/definitions/Zone' } },
          ],
          responses: { 201: { description: 'made', schema: { $ref: '#/definitions/Zone' } } },
        },
      },
      '/servers/{server_id}/zones/{zone_id}': {
        parameters: [
          { name: 'server_id', in: 'path', required: true, type: 'string' },
          { name: 'zone_id', in: 'path', required: true, type: 'string' },
        ],
        get: { responses: { 200: { description: 'one', schema: { $ref: '#/definitions/Zone' } } } },
        delete: { responses: { 204: { description: 'gone' } } },
      },
    },
  })
  expect(operations).toEqual({ total: 4, reachable: 4, left: [] })
  expect(catalog).toMatchObject({
    origin: 'https://zones.example/api/v1',
    auth: { scheme: 'api_key', in: 'header', name: 'X-API-Key', secret: 'env:API_TOKEN' },
    entities: [{ name: 'Zone', key: ['server_id', 'id'] }],
  })
})

test('reads unions, recursion and null of 3.1', () => {
  const node = {
    type: 'object',
    properties: {
      id: { type: 'string' },
      label: { type: ['string', 'null'] },
      child: { $ref: '#/components/schemas/Node' },
      shape: { $ref: '#/components/schemas/Shape' },
    },
  }
  const circle = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
  }
  const square = {
    type: 'object',
    required: ['kind'],
    properties: { kind: { const: 'square' }, side: { type: 'number' } },
  }
  const document = {
    openapi: '3.1.0',
    servers: [{ url: 'https://shapes.example' }],
    components: { schemas: { Node: node, Shape: { oneOf: [circle, square] } } },
    webhooks: { changed: {} },
    paths: {
      '/nodes': {
        get: { responses: ok(list('Node')) },
        post: {
          requestBody: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Node' } } } },
          responses: ok({ $ref: '#/components/schemas/Node' }),
        },
      },
    },
  }
  const { catalog, warnings } = read(document)
  expect(warnings.map(({ code }) => code)).toEqual(['webhooks_left'])
  const create = catalog?.capabilities.find(({ kind }) => kind === 'create')
  expect(create?.parameters.find(({ name }) => name === 'shape')?.type).toMatchObject({
    kind: 'union',
    variants: [{ name: 'circle' }, { name: 'square' }],
  })
  expect(create?.parameters.find(({ name }) => name === 'label')?.type).toEqual({
    kind: 'string',
    semantics: 'short',
  })
})

test('never follows a reference to a file or an address', () => {
  const { catalog, warnings, operations } = read({
    openapi: '3.0.0',
    servers: [{ url: 'https://a.example' }],
    paths: {
      '/a': { get: { $ref: 'file:///etc/passwd' } },
      '/b': { get: { responses: ok({ $ref: 'http://169.254.169.254/schema.json' }) } },
      '/c': { $ref: 'https://evil.example/paths.json' },
    },
  })
  expect(operations).toMatchObject({ total: 3, left: [{ operation: '/c' }] })
  expect(catalog?.otherOrigins).toEqual([])
  expect(warnings.map(({ code }) => code)).toEqual(['reference_outside', 'operation_left'])
})

test('references in a circle end', () => {
  const { warnings } = read({
    openapi: '3.0.0',
    servers: [{ url: 'https://a.example' }],
    components: {
      schemas: {
        A: { $ref: '#/components/schemas/B' },
        B: { $ref: '#/components/schemas/A' },
        C: { allOf: [{ $ref: '#/components/schemas/C' }], properties: { id: { type: 'string' } } },
      },
    },
    paths: {
      '/a': { get: { responses: ok({ $ref: '#/components/schemas/A' }) } },
      '/cs': { get: { responses: ok(list('C')) } },
    },
  })
  expect(warnings.map(({ code }) => code)).toEqual(['reference_missing'])
})

test('refuses nesting, aliases and versions beyond the limits', () => {
  const deep = `{"openapi":"3.0.0","paths":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`
  const bomb = `openapi: 3.0.0\na: &a [x, x, x, x, x, x, x, x, x, x]\n${'bcdefgh'
    .split('')
    .map(
      (name, index) =>
        `${name}: &${name} [${`*${'abcdefg'.charAt(index)}, `.repeat(9)}*${'abcdefg'.charAt(index)}]`,
    )
    .join('\n')}\n`
  const codes = [
    deep,
    bomb,
    '{"openapi":"4.0.0","paths":{}}',
    '{"openapi":"3.0.0","paths":{}}',
    '{"openapi": ',
  ].map((text) => read(text).errors[0]?.code)
  expect(codes).toEqual([
    'openapi_too_deep',
    'yaml_aliases',
    'openapi_version',
    'openapi_no_operations',
    'openapi_json',
  ])
})

test('patterns of a document are never run', () => {
  const body = {
    content: {
      'application/json': {
        schema: { type: 'object', properties: { a: { type: 'string', pattern: '^(a+)+$' } } },
      },
    },
  }
  expect(
    methods({
      openapi: '3.0.0',
      servers: [{ url: 'https://a.example' }],
      paths: {
        '/as': {
          post: {
            requestBody: body,
            responses: ok({ type: 'object', properties: { id: { type: 'string' } } }),
          },
        },
      },
    }),
  ).toHaveLength(1)
})

test('2,500 operations take at most twelve times the time of 250, and teach the same', () => {
  const measured = (operations: number) => {
    const document = JSON.stringify(generated(operations))
    catalogOf(document)
    const times = [1, 2, 3].map(() => {
      const { user } = process.cpuUsage()
      catalogOf(document)
      return process.cpuUsage().user - user
    })
    const catalog = catalogOf(document)
    const names = catalog.entities
      .slice(0, 3)
      .map(({ name }) => name)
      .toSorted()
    return {
      time: Math.min(...times),
      tokens: countTokens(taught(catalog, names)),
      operations: catalog.capabilities.length,
    }
  }
  const [small, large] = [measured(250), measured(2500)]
  expect([small.operations, large.operations]).toEqual([250, 2500])
  expect(large.tokens).toBe(small.tokens)
  expect(large.time).toBeLessThan(12 * small.time)
})

test('the same text gives the same catalog', () => {
  const document = generated(50)
  expect(pin(catalogOf(document)).digest).toBe(pin(catalogOf(document)).digest)
})

test('sends the version that a document gives for a header', () => {
  const versionOf = (schema: Json, more: object = {}) => {
    const header = { name: 'Acme-Version', in: 'header', schema, ...more }
    const { capabilities } = catalogOf({
      openapi: '3.0.3',
      paths: {
        '/notes': {
          get: { parameters: [header], responses: ok({ type: 'array', items: { type: 'string' } }) },
        },
      },
    })
    const [capability] = capabilities
    return [capability?.parameters.map(({ name }) => name), capability && requestOf(capability)?.headers]
  }
  const sent = { type: 'object', fields: [['Acme-Version', { type: 'const', value: '2024-10-01' }]] }
  expect(versionOf({ type: 'string', default: '2024-10-01' })).toEqual([[], sent])
  expect(versionOf({ type: 'string', enum: ['2024-10-01'] })).toEqual([[], sent])
  expect(versionOf({ type: 'string' }, { example: '2024-10-01' })).toEqual([[], sent])
  expect(versionOf({ type: 'string', example: '{{ACME_VERSION}}' })[0]).toEqual(['Acme_Version'])
})

test('sends the version of the API that a required parameter of the query wants', () => {
  const versionOf = (version: string, schema: Json, isRequired = true) => {
    const parameter = { name: 'api-version', in: 'query', schema, required: isRequired }
    const { capabilities } = catalogOf({
      openapi: '3.0.3',
      info: { title: 'Acme', version },
      paths: {
        '/notes': {
          get: { parameters: [parameter], responses: ok({ type: 'array', items: { type: 'string' } }) },
        },
      },
    })
    const [capability] = capabilities
    return [capability?.parameters.map(({ name }) => name), capability && requestOf(capability)?.query]
  }
  const sent = (value: string) => [
    [],
    { type: 'object', fields: [['api-version', { type: 'const', value }]] },
  ]
  const asked = ['api_version']
  expect(versionOf('2024-10-01', { type: 'string' })).toEqual(sent('2024-10-01'))
  expect(versionOf('2024-10-01-preview', { type: 'string' })).toEqual(sent('2024-10-01-preview'))
  expect(versionOf('7.1', { type: 'string' })).toEqual(sent('7.1'))
  expect(versionOf('2024-10-01', { type: 'string', default: '2023-01-01' })).toEqual(sent('2023-01-01'))
  expect(versionOf('1.4.2', { type: 'string' })[0]).toEqual(asked)
  expect(versionOf('2024-10-01', { type: 'string', enum: ['2023-01-01', '2022-01-01'] })[0]).toEqual(asked)
  expect(versionOf('2024-10-01', { type: 'string' }, false)[0]).toEqual(asked)
})

test('a credential in a header is a setting and no argument', () => {
  const taking = (header: object) => {
    const { auth, capabilities } = catalogOf({
      openapi: '3.0.3',
      paths: {
        '/notes': {
          get: {
            parameters: [{ in: 'header', required: true, schema: { type: 'string' }, ...header }],
            responses: ok({ type: 'array', items: { type: 'string' } }),
          },
        },
      },
    })
    expect(capabilities.map(({ parameters }) => parameters)).toEqual([[]])
    return auth
  }
  expect(taking({ name: 'Authorization', description: 'Bearer token of the user' })).toMatchObject({
    scheme: 'bearer',
    secret: 'env:API_TOKEN',
  })
  expect(taking({ name: 'Authorization' })).toMatchObject({
    scheme: 'api_key',
    in: 'header',
    name: 'Authorization',
  })
  expect(taking({ name: 'X-Api-Key' })).toMatchObject({ scheme: 'api_key', in: 'header', name: 'X-Api-Key' })
})

describe('a parameter that repeats the credential of the document', () => {
  const text = { type: 'string' }
  const argumentsOf = (scheme: Json, parameters: Json) => {
    const { capabilities } = catalogOf({
      openapi: '3.0.3',
      components: { securitySchemes: { own: scheme } },
      security: [{ own: [] }],
      paths: { '/notes': { get: { parameters, responses: ok({ type: 'array', items: text }) } } },
    })
    return capabilities.flatMap((one) => one.parameters.map(({ name }) => name))
  }

  test('is no argument where it has the name and the place of the key', () => {
    const key = { name: 'key', in: 'query', required: true, schema: text }
    expect(argumentsOf({ type: 'apiKey', in: 'query', name: 'key' }, [key])).toEqual([])
    expect(argumentsOf({ type: 'apiKey', in: 'header', name: 'key' }, [key])).toEqual(['key'])
    expect(argumentsOf({ type: 'apiKey', in: 'query', name: 'other' }, [key])).toEqual(['key'])
  })

  test('is no argument where it is another way to give the token', () => {
    const token = (name: string, description: string) => ({ name, in: 'query', description, schema: text })
    const bearer = { type: 'http', scheme: 'bearer' }
    expect(argumentsOf(bearer, [token('token', 'Authentication token. Requires a scope')])).toEqual([])
    expect(argumentsOf(bearer, [token('access_token', 'The access token of the user')])).toEqual([])
    expect(argumentsOf(bearer, [token('token', 'The token of the invitation')])).toEqual(['token'])
    expect(argumentsOf(bearer, [token('page_token', 'An API token of the next page')])).toEqual([
      'page_token',
    ])
  })
})

test('arguments of one name are numbered, also beside the key of their row', () => {
  const named = (name: string, place: string) => ({
    name,
    in: place,
    required: true,
    schema: { type: 'string' },
  })
  const document = {
    openapi: '3.0.3',
    info: { title: 'Pets', version: '1' },
    paths: {
      '/pets/{id}': {
        parameters: [named('id', 'path')],
        put: {
          parameters: [named('id', 'query'), named('id', 'header'), named('id', 'cookie')],
          responses: ok({ $ref: '#/components/schemas/Pet' }),
        },
      },
      '/maps/{x}/and/{x}/and/{x}': {
        parameters: [named('x', 'path')],
        get: { responses: ok({ type: 'object', properties: { size: { type: 'number' } } }) },
      },
    },
    components: { schemas: { Pet: { type: 'object', properties: { id: { type: 'string' } } } } },
  }
  expect(methods(document)).toEqual([
    'And.get() get',
    'Pet.pets(pet_id, pet_id_2, pet_id_3, pet_id_4) action',
  ])
  expect(catalogOf(document).entities.find(({ name }) => name === 'And')?.key).toEqual(['x', 'x_2', 'x_3'])
})
