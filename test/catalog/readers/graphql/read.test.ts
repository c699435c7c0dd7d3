import { buildSchema, getIntrospectionQuery, graphqlSync, parse, validate } from 'graphql'
import { describe, expect, test } from 'vitest'
import { pin } from '../../../../src/catalog/digest.ts'
import type { Capability, ServedCatalog } from '../../../../src/catalog/model.ts'
import { readGraphql } from '../../../../src/catalog/readers/graphql/read.ts'
import { readers } from '../../../../src/catalog/readers/index.ts'
import { documentOf } from '../../../../src/execution/http/request/selection.ts'
import { runOn, tableOf } from '../imported.ts'
import { MUSEUM_SCHEMA } from '../../../graphql/museum.ts'

const read = (text: string) => readGraphql({ path: 'api', id: 'api', file: 'api.graphql', text })
const catalogOf = (text: string): ServedCatalog => {
  const { catalog, errors } = read(text)
  if (!catalog) throw new Error(errors.map(({ message }) => message).join('\n'))
  return catalog
}
const capabilities = ({ capabilities: all }: ServedCatalog) =>
  all.map(({ entity, kind, label, parameters }) => {
    const names = parameters.map(({ name, required }) => `${name}${required ? '' : '?'}`)
    return `${entity} ${kind} ${label}(${names.join(', ')})`
  })
const documents = (catalog: ServedCatalog) => {
  const pinned = pin(catalog)
  return catalog.capabilities.flatMap((capability: Capability) => {
    const operation = capability.call?.kind === 'graphql' ? capability.call.operation : undefined
    if (!operation) return []
    const invocation = { pinned, capability, arguments: new Map() }
    const fields =
      catalog.entities.find(({ name }) => name === capability.entity)?.fields.map(({ name }) => name) ?? []
    return [{}, { needs: [] }, { needs: fields, joined: fields }].map((wanted) =>
      documentOf(operation, invocation, wanted),
    )
  })
}
const invalid = (text: string) => {
  const schema = buildSchema(text)
  const all = documents(catalogOf(text))
  expect(all.length).toBeGreaterThan(0)
  return all.flatMap((one) => validate(schema, parse(one)).map(({ message }) => `${message} in ${one}`))
}

const SHELVES = `
  type Query { shelf(id: ID!): Shelf, shelves: [Shelf!]! }
  type Shelf { id: ID!, name: String, books: [Book!]!, place: Place }
  type Book { title: String!, pages: Int, cover: Cover, marks: [Mark!] }
  type Cover { colour: String }
  type Mark { page: Int }
  type Place { room: String, signs: [Sign!]! }
  type Sign { text: String }
`

describe('lists of objects without an id', () => {
  const catalog = catalogOf(SHELVES)
  const shelves = [
    {
      id: 's1',
      books: [{ title: 'One', pages: 10, cover: { colour: 'red' } }],
      place: { signs: [{ text: 'A' }] },
    },
    { id: 's2', books: [{ title: 'Two', pages: 30 }] },
  ]
  const run = (program: string) => runOn(catalog, program, { '/graphql': { data: { shelves } } })

  test('are taught and read as rows of their row', async () => {
    expect(tableOf(catalog, 'Book', 'Shelf')).toContain(
      'e1\tBook · title, pages int, cover_colour, marks json\n',
    )
    expect(tableOf(catalog, 'Book', 'Shelf')).toContain('books [e1]')
    const { rows, calls } = await run('Shelf{}.books.sort(pages desc)[title,pages,cover_colour]')
    expect(rows).toEqual([
      [
        { title: 'Two', pages: 30 },
        { title: 'One', pages: 10, cover_colour: 'red' },
      ],
    ])
    expect(calls).toHaveLength(1)
    expect(calls[0]).toContain('books{title pages cover{colour} marks{page}}')
  })

  test('are columns where they stand in an object', async () => {
    expect((await run('Shelf{}.limit(1)[place_signs]')).rows).toEqual([[{ place_signs: [{ text: 'A' }] }]])
  })

  test('are asked for as the schema allows', () => expect(invalid(SHELVES)).toEqual([]))
})

describe('a schema', () => {
  test('is a catalog of its types and its operations', () => {
    expect(capabilities(catalogOf(MUSEUM_SCHEMA))).toEqual([
      'Artist get get()',
      'Workshop get get()',
      'Work get get()',
      'Museum get get()',
      'Museum query query()',
      'Work query query(filter?, orderBy?)',
      'Work query featured()',
      'Motto query query()',
      'Found search search(text)',
      'Visitors query query(museumId)',
      'Work create create(title, year?, museumId, price?)',
      'Work update update(title?, year?)',
      'Work delete delete()',
      'Work action lend(museumId)',
      'Work action restore()',
      'Operations action close-all()',
      'Work query of-artist-works(artist)',
      'Work query of-work-similar(work)',
      'Work query of-museum-works(museum, medium?)',
      'Room query of-museum-room(museum, number)',
    ])
  })

  test('asks the server only for documents that are valid', () => {
    expect(invalid(MUSEUM_SCHEMA)).toEqual([])
  })

  test('is the same in its language and as an introspection result', async () => {
    const answer = graphqlSync({ schema: buildSchema(MUSEUM_SCHEMA), source: getIntrospectionQuery() })
    const text = JSON.stringify({ endpoint: 'https://api.example/v1/graphql', ...answer })
    const reader = readers.find(({ isFile }) => isFile('api.json', text))
    const introspected = await reader?.read({ path: 'api', id: 'api', files: [{ file: 'api.json', text }] })
    const written = catalogOf(`# endpoint: https://api.example/v1/graphql\n${MUSEUM_SCHEMA}`)
    expect(pin(introspected?.catalog ?? catalogOf('')).digest).toBe(pin(written).digest)
    expect(introspected?.catalog?.origin).toBe('https://api.example/v1')
  })

  test('says what is left out and what it lacks', () => {
    expect(read(MUSEUM_SCHEMA).warnings.map(({ code, message }) => [code, message])).toEqual([
      ['endpoint_unknown', 'The GraphQL schema does not say where its server answers.'],
      ['schema_left_out', 'Left out of the catalog: subscriptions: `workAdded`.'],
    ])
  })

  test.each([
    ['type Query { a: Missing }', 'schema_invalid'],
    ['type Query {', 'schema_invalid'],
    ['type Other { a: Int }', 'schema_without_queries'],
    ['# endpoint: ftp://example.com\ntype Query { a: Int }', 'endpoint_invalid'],
    ['# endpoint: https://user:secret@example.com/graphql\ntype Query { a: Int }', 'endpoint_invalid'],
    ['{"__schema": {"types": []}}', 'schema_without_queries'],
    ['{"data": {"__schema": null}}', 'schema_invalid'],
    [`type Query { a: ${'['.repeat(50_000)}Int${']'.repeat(50_000)} }`, 'schema_invalid'],
    [`{"__schema": ${'{"ofType":'.repeat(20_000)}1${'}'.repeat(20_000)}}`, 'schema_invalid'],
  ])('that cannot be read is an error: %.60s', (text, code) => {
    expect(read(text).errors.map((found) => found.code)).toEqual([code])
  })

  test('whose names would change a document is an error', () => {
    const answer = graphqlSync({
      schema: buildSchema('type Query { a: Int }'),
      source: getIntrospectionQuery(),
    })
    const text = JSON.stringify(answer).replace('"name":"a"', '"name":"a} evil {b"')
    expect(read(text).errors.map(({ code }) => code)).toEqual(['schema_invalid'])
  })
})

describe('other conventions', () => {
  test('lists in an object with a number of the next page', () => {
    const text = `
      type Query { characters(page: Int, filter: Filter): Characters character(id: ID!): Character }
      input Filter { name: String }
      type Characters { info: Info results: [Character] }
      type Info { count: Int next: Int }
      type Character { id: ID name: String episode: [Episode]! }
      type Episode { id: ID air_date: String }`
    const catalog = catalogOf(text)
    expect(capabilities(catalog)).toEqual([
      'Character get get()',
      'Character query query(filter?)',
      'Episode query of-character-episode(character)',
    ])
    const [, list] = catalog.capabilities
    expect(list?.call?.kind === 'graphql' && list.call.request.paging).toEqual({
      location: 'body',
      parameters: [{ name: 'page', kind: 'cursor', field: 'next' }],
      bodyPath: ['variables'],
      responsePath: ['data', 'characters', 'info'],
    })
    expect(invalid(text)).toEqual([])
  })

  test.each([
    ['page: Int = 0', 'query query()', 0],
    ['page: Int = 1', 'query query()', 1],
    ['page: Int', 'query query(page?, perPage?)', undefined],
  ])('pages by number only from a known first page: %s', (page, shown, start) => {
    const text = `type Query { posts(${page}, perPage: Int): [Post] } type Post { id: ID! }`
    const catalog = catalogOf(text)
    expect(capabilities(catalog)).toEqual([`Post ${shown}`])
    const [list] = catalog.capabilities
    const paging = list?.call?.kind === 'graphql' ? list.call.request.paging : undefined
    expect(paging?.parameters.find(({ kind }) => kind === 'counter')).toEqual(
      start === undefined ? undefined : { name: 'page', kind: 'counter', start, step: 1 },
    )
  })

  test('keys that are no ids, of one field and of several', () => {
    const text = `
      type Query { country(code: ID!): Country countries: [Country!]! seat(hall: String!, row: Int!): Seat }
      type Country { code: ID! name: String! continent: Continent! }
      type Continent { code: ID! name: String! countries: [Country!]! }
      type Seat { hall: String! row: Int! isFree: Boolean }`
    const catalog = catalogOf(text)
    expect(catalog.entities.map(({ name, key }) => [name, key])).toEqual([
      ['Country', ['code']],
      ['Continent', ['code']],
      ['Seat', ['hall', 'row']],
    ])
    expect(invalid(text)).toEqual([])
  })

  test('members of a union whose fields have different types', () => {
    const text = `
      type Query { found: [Hit!]! }
      union Hit = Book | Film
      type Book { id: ID! title: String! length: Int }
      type Film { id: ID! title: String length: Float! }`
    expect(catalogOf(text).entities.find(({ name }) => name === 'Hit')?.fields.map(({ name }) => name)).toEqual([
      'id', 'title', 'length', 'film_title', 'film_length', 'type',
    ]) // prettier-ignore
    expect(invalid(text)).toEqual([])
  })
})

describe('a hostile schema', () => {
  test('of input types in a circle is read in bounded time', () => {
    const fields = Array.from({ length: 60 }, (_, at) => `f${at}: In`).join(' ')
    const began = performance.now()
    const text = `type Query { a(in: In): [Row] } type Row { id: ID! } input In { ${fields} }`
    expect(catalogOf(text).capabilities).toHaveLength(1)
    expect(JSON.stringify(catalogOf(text)).length).toBeLessThan(100_000)
    expect(performance.now() - began).toBeLessThan(2000)
  })

  test('of objects in a circle is read in bounded time', () => {
    const types = Array.from({ length: 40 }, (_, at) => {
      const fields = Array.from({ length: 40 }, (_more, to) => `f${to}: T${(at + to) % 40}`)
      return `type T${at} { name: String ${fields.join(' ')} }`
    })
    const text = `type Query { a: T0 } ${types.join('\n')}`
    const catalog = catalogOf(text)
    expect(catalog.entities[0]?.fields.length).toBeLessThanOrEqual(80)
    expect(invalid(text)).toEqual([])
  })

  test('of many types keeps what its bounds allow', () => {
    const types = Array.from({ length: 6000 }, (_, at) => `type T${at} { id: ID! next: T${(at + 1) % 6000} }`)
    const { catalog, warnings } = read(`type Query { a: T0 } ${types.join('\n')}`)
    expect(catalog?.entities.length).toBe(5000)
    expect(warnings.some(({ message }) => message.includes('types after the first 5000'))).toBe(true)
  })
})
