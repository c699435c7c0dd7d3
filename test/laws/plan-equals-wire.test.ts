import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { destinationOf } from '../../src/adapters/wire/destination.ts'
import { parseJson } from '../../src/adapters/wire/json.ts'
import { requestOf } from '../../src/adapters/wire/request.ts'
import { ok } from '../../src/base/diagnostic.ts'
import { pin } from '../../src/catalog/digest.ts'
import { effectsOf } from '../../src/engine/effects/effects.ts'
import { reviewText } from '../../src/engine/effects/review.ts'
import { DEFAULT_BUDGET } from '../../src/execution/budget.ts'
import { execute } from '../../src/execution/executor.ts'
import { foreseenProblems } from '../../src/execution/foreseen.ts'
import type { Wire } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { worldOf } from '../execution/plans.ts'
import { cases } from '../law-cases.ts'
import {
  type Api,
  anyApi,
  type CapabilityName,
  catalogOf,
  type Kind,
  type Place,
  ROUTES,
} from './generated-apis.ts'

/*
 * Over generated catalogs and programs: what a plan shows of each call (capability, key, arguments, how often) is what the API
 * receives, and nothing else; and what a plan accepts is not refused when it runs.
 */

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
      return fc
        .oneof({ weight: 2, arbitrary: fc.constantFrom(...WORDS) }, ...(isBody ? [fc.constant(LONG)] : []))
        .map((word) => JSON.stringify(word))
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
  /** For each row that a limit leaves: the plan shows the limit. */
  readonly isLoop?: true
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
  const once = (name: CapabilityName | 'delete', program: fc.Arbitrary<string>) =>
    program.map((text): Case => ({ program: text, name, times: 1 }))
  const at = (name: 'update' | 'touch') =>
    fc.tuple(id, argumentsOf(name, false)).map(([key, given]) => `Thing(${key}).${name}(${given})`)
  // The limit of a read, and one that is a step of its own.
  const limited = fc.constantFrom('Thing', 'Thing.sort(points, desc)')
  const loop = (name: 'update' | 'touch') =>
    fc
      .tuple(limited, fc.integer({ min: 1, max: 2 }), argumentsOf(name, true))
      .map(([rows, times, given]): Case => {
        const program = `some = ${rows}.limit(${times})\nsome => _.${name}(${given})`
        return { program, name, times, isLoop: true }
      })
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
    loop('update'),
    loop('touch'),
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

/** The limit that the plan shows of the rows of a loop. */
function shownLimit(review: string): number {
  return Number(/ limit (\d+)/.exec(review)?.[1])
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
      const { method, path, body } = requestOf(call, destination.value.url, proof, 'test')
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
  const seen = { refused: 0, sent: 0, loops: 0, cut: 0 }
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
        const review = reviewText(read.plan, { effects }, 'pc1', () => pinned.catalog)
        const shown = shownIn(review, one.name)
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
        if (one.isLoop) expect(shownLimit(review), about).toBe(calls.length)
        seen.sent += calls.length
        if (one.isLoop) seen.loops++
        if ([...shown.values()].some((text) => text.includes(' characters, sha256 '))) seen.cut++
      }
    }),
    { numRuns: cases(100_000) / 20 },
  )
  expect(Math.min(seen.refused, seen.sent, seen.loops)).toBeGreaterThan(cases(100_000) / 40)
  expect(seen.cut).toBeGreaterThan(cases(100_000) / 200)
})
