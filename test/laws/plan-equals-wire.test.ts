import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationOf } from '../../src/adapters/wire/destination.ts'
import { parseJson } from '../../src/adapters/wire/json.ts'
import { requestOf } from '../../src/adapters/wire/request.ts'
import { ok } from '../../src/base/diagnostic.ts'
import { pin } from '../../src/catalog/digest.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { effectsOf } from '../../src/engine/effects/effects.ts'
import { reviewText } from '../../src/engine/effects/review.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import { execute } from '../../src/execution/executor.ts'
import { foreseenProblems } from '../../src/execution/foreseen.ts'
import type { Wire } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { worldOf } from '../execution/plans.ts'
import { cases, SEED } from '../law-cases.ts'

/*
 * Over generated catalogs and programs: what a plan shows of each call (capability, key, arguments, how often) is what the API
 * receives, and nothing else; and what a plan accepts is not refused when it runs.
 */

/** Where the request of a generated capability puts a parameter. */
type Place = 'query' | 'key' | 'input' | 'path' | 'unsent'
type Kind = 'word' | 'count' | 'ratio' | 'flag' | 'state' | 'whole' | 'words'

interface Param {
  readonly name: string
  readonly kind: Kind
  readonly place: Place
}

/** One generated API: things with parts, and the parameters of each capability. */
interface Api {
  readonly idKind: 'word' | 'count'
  readonly params: Readonly<Record<CapabilityName, readonly Param[]>>
}

const CAPABILITIES = ['create', 'update', 'touch', 'list', 'parts'] as const
type CapabilityName = (typeof CAPABILITIES)[number]

/** Method and path of each capability; `%` is the key of the thing. */
const ROUTES = {
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
const anyApi: fc.Arbitrary<Api> = fc.record({
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

function catalogOf({ idKind, params }: Api) {
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

const ROWS = [
  { id: 7, title: 'seven', points: '9007199254740993' },
  { id: 8, title: 'a/b%2F', points: '3' },
  { id: 9, title: 'nine', points: '-1' },
] as const
const rowsText = (idKind: Api['idKind']) =>
  `[${ROWS.map(({ id, title, points }) => `{"id":${idKind === 'count' ? String(id) : `"${id}"`},"title":"${title}","points":${points}}`).join(',')}]`

const WORDS = ['a b', 'ü', 'a/b', '100%', 'a%2Fb', '"q"', '{x}', 'x=1&y=2', '..', '', 'null', '12', '007']
const LONG = 'long '.repeat(80)

/** A value of the kind as a program writes it. */
const writtenOf = (kind: Kind, place: Place): fc.Arbitrary<string> => {
  const isBody = place === 'key' || place === 'input'
  switch (kind) {
    case 'word':
      return fc.constantFrom(...WORDS, ...(isBody ? [LONG] : [])).map((word) => JSON.stringify(word))
    case 'count':
      return fc.constantFrom('0', '-5', '12', '9007199254740991', '9007199254740992', '9007199254740993')
    case 'ratio':
      return fc.constantFrom('0.5', '-2', '9007199254740993')
    case 'flag':
      return fc.constantFrom('true', 'false')
    case 'state':
      return fc.constantFrom('open', 'closed')
    case 'whole':
      return fc.constantFrom('{a: 1}', '{a: [x, 9007199254740993], b: {c: null}}', '[1, "2"]')
    case 'words':
      return fc.constantFrom('["a", "b c"]', '[one]', '[]')
  }
}

interface Case {
  readonly program: string
  /** The capability whose call is compared. */
  readonly name: CapabilityName | 'delete'
  /** How often it is called. */
  readonly times: number
  /** The thing whose parts are read, which the step before shows. */
  readonly of?: string
}

const anyCase = (api: Api): fc.Arbitrary<Case> => {
  const id = fc.constantFrom(
    ...(api.idKind === 'count' ? ['7', '9007199254740993'] : ['"k 1"', '"a%2Fb"', '7']),
  )
  const argumentsOf = (name: CapabilityName, inLoop: boolean) =>
    fc
      .tuple(
        ...api.params[name].map(({ name: param, kind, place }) => {
          const fromRow =
            kind === 'word' ? ['_.title'] : kind === 'count' || kind === 'whole' ? ['_.points'] : []
          const values = fc.oneof(
            { weight: 8, arbitrary: writtenOf(kind, place) },
            { weight: 1, arbitrary: fc.constant('null') },
            ...(inLoop && fromRow.length > 0 ? [{ weight: 6, arbitrary: fc.constantFrom(...fromRow) }] : []),
          )
          const given = values.map((value) => [`${param}=${value}`])
          if (place === 'path') return given
          return place === 'unsent'
            ? fc.oneof({ weight: 1, arbitrary: given }, { weight: 9, arbitrary: fc.constant([]) })
            : fc.oneof({ weight: 4, arbitrary: given }, { weight: 1, arbitrary: fc.constant([]) })
        }),
      )
      .map((given) => given.flat().join(', '))
  const once = (name: CapabilityName | 'delete', program: fc.Arbitrary<string>, times = 1) =>
    program.map((text): Case => ({ program: text, name, times }))
  const at = (name: 'update' | 'touch') =>
    fc.tuple(id, argumentsOf(name, false)).map(([key, given]) => `Thing(${key}).${name}(${given})`)
  const loop = (name: 'update' | 'touch') =>
    argumentsOf(name, true).map((given) => `x = Thing.limit(2)\nx => _.${name}(${given})`)
  const list = argumentsOf('list', false).map((given) => (given === '' ? 'Thing' : `Thing{${given}}`))
  const walked = fc.constantFrom('parts', '^Part')
  const parts = fc.tuple(id, walked, argumentsOf('parts', false)).map(([of, walk, given]): Case => {
    const program = `Thing(${of}).${walk}${given === '' ? '' : `{${given}}`}`
    return { program, name: 'parts', times: 1, of }
  })
  return fc.oneof(
    once(
      'create',
      argumentsOf('create', false).map((given) => `Thing.create(${given})`),
    ),
    once('update', at('update')),
    once('touch', at('touch')),
    once(
      'delete',
      id.map((key) => `Thing(${key}).delete()`),
    ),
    once('update', loop('update'), 2),
    once('touch', loop('touch'), 2),
    once('list', list),
    parts,
  )
}

/** The end of the JSON value that begins there. */
function jsonEnd(text: string, from: number): number {
  let [at, depth] = [from, 0]
  do {
    const char = text[at]
    if (char === '"') for (at++; at < text.length && text[at] !== '"'; at++) if (text[at] === '\\') at++
    if (char === '{' || char === '[') depth++
    if (char === '}' || char === ']') depth--
    at++
  } while (at < text.length && (depth > 0 || !/[,)}]/.test(text[at] ?? '')))
  return at
}

/** `name=value` pairs as a plan shows them, or as a JSON object holds them: the value as its text. */
function pairsIn(text: string, separator: '=' | ':'): ReadonlyMap<string, string> {
  const pairs = new Map<string, string>()
  for (let at = 0; at < text.length;) {
    const equals = text.indexOf(separator, at)
    const name = text.slice(at, equals).replaceAll('"', '')
    const isCut = /^"[^"]*… \(\d+ characters, sha256 \w+\)/.exec(text.slice(equals + 1))
    const end = isCut ? equals + 1 + isCut[0].length : jsonEnd(text, equals + 1)
    pairs.set(name, text.slice(equals + 1, end))
    at = end + (text[end + 1] === ' ' ? 2 : 1)
  }
  return pairs
}

/** What a plan shows of a long text. */
function cut(text: string): string {
  const hash = createHash('sha256').update(text).digest('hex').slice(0, 16)
  return text.length <= 200 ? text : `${text.slice(0, 200)}… (${text.length} characters, sha256 ${hash})`
}

/** A shown value as a path or a query holds it. */
function plainText(shown: string): string {
  return shown.startsWith('"') ? String(JSON.parse(shown)) : shown
}

/** The arguments that the plan shows of the call. */
function shownIn(review: string, name: Case['name']): ReadonlyMap<string, string> {
  const mark =
    name === 'parts' ? /relation parts → |by thing_parts/ : new RegExp(`(?:by|Thing) thing_${name}`)
  const line = review.split('\n').find((one) => mark.test(one))
  if (line === undefined) throw new Error(`the plan does not show thing_${name}:\n${review}`)
  const [before = ''] = line.split(/ filter | ← /)
  const open = before.indexOf('(')
  return open === -1 ? new Map() : pairsIn(before.slice(open + 1, before.lastIndexOf(')')), '=')
}

interface Recorded {
  readonly method: string
  readonly path: string
  readonly body: string | null
}

/** The real request of every call, which is answered with rows. */
function recording(api: Api, requests: Recorded[]): Wire {
  return {
    send: async (call) => {
      const destination = destinationOf(call, () => false)
      if (!destination.ok) throw new Error(JSON.stringify(destination.problems))
      const proof = { headers: [], query: [], secrets: [] }
      const { method, path, body } = await requestOf(call, destination.value.url, proof, 'test')
      requests.push({ method, path: path.replace('/v1', ''), body: typeof body === 'string' ? body : null })
      const own = path.replace('/v1', '').split('?')[0] ?? ''
      const id = decodeURIComponent(own.slice('/things/'.length))
      const one = `{"id":${api.idKind === 'count' ? id : JSON.stringify(id)}}`
      const isPart = /\/parts(?:\/|$)/.test(own)
      const rows = own === '/things' ? rowsText(api.idKind) : isPart ? '[]' : one
      const text = method === 'GET' ? rows : '{}'
      const parsed = parseJson(text)
      const reply = { status: 200, headers: {}, bytes: 10, requests: 1 }
      return { ok: true, reply: { ...reply, body: 'value' in parsed ? parsed.value : null } }
    },
  }
}

/** What the plan says that the n-th call sends, in the shape of a request. */
function expectedOf(api: Api, { name, of }: Case, shown: ReadonlyMap<string, string>, row: number) {
  const params = name === 'delete' ? [] : api.params[name]
  const inRow = ROWS[row]
  const key = { id: api.idKind === 'count' ? String(inRow?.id) : `"${inRow?.id}"` }
  const known = (text: string) =>
    text === '_.id'
      ? key.id
      : text === '_.title'
        ? `"${inRow?.title}"`
        : text === '_.points'
          ? (inRow?.points ?? '')
          : text
  const at = (place: Place) =>
    params.flatMap((one) => {
      const text = shown.get(one.name)
      return one.place === place && text !== undefined ? [[one.name, known(text)] as const] : []
    })
  const id = shown.get('id') ?? shown.get('thing') ?? of
  const [method, route] = ROUTES[name]
  const own = route.replace('%', id === undefined ? '%' : encodeURIComponent(plainText(known(id))))
  const path = [own, ...at('path').map(([, text]) => encodeURIComponent(plainText(text)))].join('/')
  const query = at('query').flatMap(([param, text]) => {
    const items: readonly string[] = text.startsWith('[') ? JSON.parse(text).map(String) : [plainText(text)]
    return items.map((item) => `${param}=${encodeURIComponent(item)}`)
  })
  // The whole input holds every argument that is not in the path.
  const isInput = params.some(({ place }) => place === 'input')
  const body = new Map([...at('key'), ...at('input'), ...(isInput ? at('query') : [])])
  return { method, path, query: query.toSorted(), body }
}

function actualOf({ method, path, body }: Recorded) {
  const [own = '', query = ''] = path.split('?')
  const inBody = body === null ? '' : body.slice(1, -1)
  return {
    method,
    path: own,
    query: query === '' ? [] : query.split('&').toSorted(),
    body: new Map([...pairsIn(inBody, ':')].map(([name, text]) => [name, cut(text)])),
  }
}

const anyApiAndCases = anyApi.chain((api) =>
  fc.record({ api: fc.constant(api), programs: fc.array(anyCase(api), { minLength: 20, maxLength: 20 }) }),
)

test('what a plan shows is what the API receives', { timeout: 3_000_000 }, async () => {
  const seen = { refused: 0, sent: 0, loops: 0 }
  await fc.assert(
    fc.asyncProperty(anyApiAndCases, async ({ api, programs }) => {
      const served = catalogOf(api)
      const pinned = pin(served)
      const waves = [
        {
          revision: 1,
          generation: 1,
          picks: [{ catalog: 'things', digest: pinned.digest, lens: 'all', entities: ['Part', 'Thing'] }],
        },
      ] as const
      const space = symbolSpace(waves, () => pinned.catalog)
      for (const one of programs) {
        const read = readProgram(one.program, {
          space,
          model: () => pinned.catalog,
          allows: () => true,
          ref: 's0',
        })
        const foreseen = read.ok ? foreseenProblems(read.plan, () => pinned.catalog) : read.problems
        if (!read.ok || foreseen.length > 0) {
          seen.refused++
          continue
        }
        const effects = effectsOf(read.plan, DEFAULT_BUDGET)
        const shown = shownIn(
          reviewText(read.plan, effects, 'pc1', () => pinned.catalog),
          one.name,
        )
        const requests: Recorded[] = []
        const world = worldOf(pinned, { wire: recording(api, requests), admit: async () => ok(served) })
        const { problems } = await execute(read.plan, world)
        const method = ROUTES[one.name][0]
        const about = `${one.program}\n${JSON.stringify(api)}\n${JSON.stringify(requests)}`
        expect(problems, about).toEqual([])
        const isIts = (request: Recorded) =>
          request.method === method && (one.name !== 'parts' || request.path.includes('/parts'))
        const calls = requests.filter(isIts)
        expect(calls.length, about).toBe(one.times)
        if (method !== 'GET')
          expect(
            effects.map(({ most }) => most),
            about,
          ).toEqual([one.times])
        for (const [row, call] of calls.entries())
          expect(actualOf(call), about).toEqual(expectedOf(api, one, shown, row))
        seen.sent += calls.length
        if (one.times > 1) seen.loops++
      }
    }),
    { numRuns: cases(100_000) / 20, seed: SEED },
  )
  expect(Math.min(seen.refused, seen.sent, seen.loops)).toBeGreaterThan(cases(100_000) / 40)
})
