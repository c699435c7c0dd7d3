import fc from 'fast-check'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'

/* APIs of things with parts, whose requests put each parameter somewhere else. */

/** Where the request of a generated capability puts a parameter. */
export type Place = 'query' | 'key' | 'input' | 'path' | 'unsent'
export type Kind = 'word' | 'count' | 'ratio' | 'flag' | 'state' | 'whole' | 'words'

interface Param {
  readonly name: string
  readonly kind: Kind
  readonly place: Place
}

/** One generated API: things with parts, and the parameters of each capability. */
export interface Api {
  readonly idKind: 'word' | 'count'
  readonly params: Readonly<Record<CapabilityName, readonly Param[]>>
}

const CAPABILITIES = ['create', 'update', 'touch', 'list', 'parts'] as const
export type CapabilityName = (typeof CAPABILITIES)[number]

/** Method and path of each capability; `%` is the key of the thing. */
export const ROUTES = {
  create: ['POST', '/things'],
  update: ['PATCH', '/things/%'],
  touch: ['POST', '/things/%/touch'],
  list: ['GET', '/things'],
  parts: ['GET', '/things/%/parts'],
  delete: ['DELETE', '/things/%'],
} as const

const VALUES = `
values:
  word: { type: string, string_semantics: short }
  count: { type: integer }
  ratio: { type: number }
  flag: { type: boolean }
  state: { type: select, allowed_values: [open, closed] }
  whole: { type: json }
  words: { type: array, items: { value_ref: word } }
  thing: { type: entity_ref, target: Thing }`

const paramOf = (places: readonly Place[]) =>
  fc.record({
    name: fc.constantFrom('title', 'points', 'owner', 'tags', 'due', 'meta'),
    kind: fc.constantFrom<Kind>('word', 'count', 'ratio', 'flag', 'state', 'whole', 'words'),
    place: fc.constantFrom(...places),
  })
const paramsOf = (...places: readonly Place[]) =>
  fc.uniqueArray(paramOf(places), { maxLength: 4, selector: ({ name }) => name })
/** A body is either spelled out key by key, or the whole input. */
const writeParams = fc.oneof(paramsOf('query', 'key', 'path', 'unsent'), paramsOf('input', 'path', 'query'))
export const anyApi: fc.Arbitrary<Api> = fc.record({
  idKind: fc.constantFrom('word', 'count'),
  params: fc.record({
    create: writeParams,
    update: writeParams,
    touch: writeParams,
    list: paramsOf('query', 'unsent'),
    parts: paramsOf('query', 'unsent', 'path'),
  }),
})

function parametersText(params: readonly Param[], more: readonly string[] = []): string {
  const rows = params.map(
    ({ name, kind, place }) => `{ name: ${name}, value_ref: ${kind}, required: ${String(place === 'path')} }`,
  )
  return `parameters: [${[...more, ...rows].join(', ')}]`
}

function templateText(name: CapabilityName | 'delete' | 'get', params: readonly Param[]): string {
  const [method, path] = name === 'get' ? (['GET', '/things/%'] as const) : ROUTES[name]
  const key = name === 'parts' ? 'thing' : 'id'
  const own = path
    .slice(1)
    .split('/')
    .map((part) => (part === '%' ? `{ type: var, name: ${key} }` : `{ type: literal, value: ${part} }`))
  const added = params.flatMap((one) => (one.place === 'path' ? [`{ type: var, name: ${one.name} }`] : []))
  const object = (place: Place) => {
    const fields = params.filter((one) => one.place === place)
    return `{ type: object, fields: [${fields.map((one) => `[${one.name}, { type: var, name: ${one.name} }]`).join(', ')}] }`
  }
  const isWrite = method === 'POST' || method === 'PATCH'
  const isInput = params.some(({ place }) => place === 'input')
  return [
    `thing_${name}:`,
    `  method: ${method}`,
    `  path: [${[...own, ...added].join(', ')}]`,
    ...(params.some(({ place }) => place === 'query') ? [`  query: ${object('query')}`] : []),
    ...(isWrite ? [`  body: ${isInput ? '{ type: var, name: input }' : object('key')}`] : []),
    ...(name === 'list' || name === 'parts' ? ['  response: bare_list'] : []),
  ].join('\n')
}

/** The catalog of the API, as its files give it. */
export function catalogOf({ idKind, params }: Api) {
  const domain = `version: 1
http_backend: https://things.example/v1
auth: { scheme: none }
${VALUES}
entities:
  Thing:
    id_field: id
    fields: { id: { value_ref: ${idKind} }, title: { value_ref: word }, points: { value_ref: count } }
    relations:
      parts: { target: Part, cardinality: many, materialize: { kind: query_scoped, capability: thing_parts, param: thing } }
  Part:
    id_field: id
    fields: { id: { value_ref: word }, thing: { value_ref: thing } }
capabilities:
  thing_list: { kind: query, entity: Thing, ${parametersText(params.list)} }
  thing_get: { kind: get, entity: Thing }
  thing_create: { kind: create, entity: Thing, ${parametersText(params.create)} }
  thing_update: { kind: update, entity: Thing, ${parametersText(params.update)} }
  thing_touch: { kind: action, entity: Thing, provides: [id], ${parametersText(params.touch)} }
  thing_delete: { kind: delete, entity: Thing }
  thing_parts: { kind: query, entity: Part, ${parametersText(params.parts, ['{ name: thing, value_ref: thing, required: true, role: scope }'])} }
`
  const names = ['list', 'get', 'create', 'update', 'touch', 'delete', 'parts'] as const
  const mappings = names
    .map((name) => templateText(name, name === 'get' || name === 'delete' ? [] : params[name]))
    .join('\n')
  const reading = readPlasm({
    path: 'things',
    id: 'things',
    domain: { file: 'domain.yaml', text: domain },
    mappings: { file: 'mappings.yaml', text: mappings },
  })
  if (!reading.catalog) throw new Error(JSON.stringify(reading.errors))
  return reading.catalog
}
