import { execFile, spawnSync } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { cases, report, SEED } from '../../law-cases.ts'
import { jsonOf, SEEDS, startTestServer, type TestServer } from '../test-server.ts'

/* Whatever is sent to the HTTP API, its own document describes the answer, and none is a failure of the server. */

const TOOL = process.env['PLASMID_TEST_SCHEMATHESIS'] ?? 'schemathesis'
const hasTool = spawnSync(TOOL, ['--version']).status === 0
const WHY_NOT = 'install it from PyPI or name its binary in PLASMID_TEST_SCHEMATHESIS'
/** A stream lasts as long as its client, so it is no request to generate. */
const STREAM = '/v1/traces/{id}/stream'
const CHECKS = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
]

let server: TestServer
let document: Document
let ajv: Ajv2020
beforeAll(async () => {
  server = await startTestServer({ request_rate: 'none', log_level: 'silent' })
  document = await jsonOf<Document>(await fetch(`${server.url}/openapi.json`))
  ajv = new Ajv2020({ strict: false })
  ajv.addSchema(document, 'document')
  await server.send('POST', '/v1/contexts', { intent: 'fuzzed', seeds: SEEDS })
})
afterAll(() => server.close())

interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>
}
interface Operation {
  readonly responses: Readonly<Record<string, Answer>>
}
interface Answer {
  readonly content?: Readonly<Record<string, object>>
  readonly $ref?: string
}

/** Values that are nearly right: for parts of paths, for queries and for fields of bodies. */
const word = fc.oneof(
  fc.constantFrom(
    's0',
    's1',
    'pc1',
    's0_pg1',
    '1',
    'all',
    'live',
    '',
    '-1',
    '0',
    '201',
    '1e9',
    'shop',
    'Customer',
  ),
  fc.constantFrom('../x', '%00', '%ff', 'l_AAAAAAAAAAAAAAAAAAAAAA', 'x\'"`${y}', '\ud83d\ude00', '\u202e'),
  fc.string({ maxLength: 12 }),
  fc.string({ unit: 'binary', maxLength: 12 }),
)
const program = fc.constantFrom(
  'e1[id, name]',
  'e1',
  'e1("c1")',
  'e1("c4").delete()',
  'e9',
  'page(s0_pg1)',
  'e1[',
  '',
)
const value = fc.oneof(word, program, fc.jsonValue({ maxDepth: 2 }))
const body = fc.oneof(
  fc.dictionary(
    fc.constantFrom(
      'intent',
      'seeds',
      'program',
      'plan',
      'confirm',
      'have',
      'fork_of',
      'workspace',
      'api',
      'x',
    ),
    fc.oneof(value, fc.constant(SEEDS), fc.constant('none')),
    { maxKeys: 5 },
  ),
  fc.jsonValue({ maxDepth: 3 }),
)
const sent = fc.oneof(
  body.map((held) => ({ type: 'application/json', text: JSON.stringify(held) })),
  program.map((text) => ({ type: 'text/plain', text })),
  fc.record({
    type: fc.constantFrom(
      'application/json',
      'text/plain',
      'application/xml',
      'application/json; charset=utf-16',
      '',
    ),
    text: fc.string({ maxLength: 30 }),
  }),
)

function operations(): readonly (readonly [path: string, method: string, operation: Operation])[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    path === STREAM
      ? []
      : Object.entries(methods).map(([method, operation]) => [path, method, operation] as const),
  )
}

/** What the document says of an answer with this status; a status by itself goes before its class. */
function described({ responses }: Operation, status: number): Answer | undefined {
  const held = responses[status] ?? responses[`${Math.floor(status / 100)}XX`] ?? responses['default']
  const name = held?.$ref?.split('/').at(-1)
  return name === undefined ? held : answersOf(document)[name]
}

function answersOf(held: Document & { readonly components?: { readonly responses?: object } }) {
  const found: Readonly<Record<string, Answer>> = { ...held.components?.responses }
  return found
}

test(
  'whatever is sent gets an answer that the document describes',
  async () => {
    const all = operations()
    const statuses = new Map<number, number>()
    await fc.assert(
      fc.asyncProperty(
        fc.record({
          at: fc.nat(all.length - 1),
          parts: fc.array(word, { minLength: 2, maxLength: 2 }),
          query: fc.dictionary(fc.constantFrom('limit', 'offset', 'status', 'plan', 'confirm', 'x'), word, {
            maxKeys: 2,
          }),
          accept: fc.constantFrom(
            undefined,
            '*/*',
            'application/json',
            'text/markdown',
            'text/html',
            'q=;,,',
          ),
          given: sent,
        }),
        async ({ at, parts, query, accept, given }) => {
          const found = all[at]
          if (!found) throw new Error('no such operation')
          const [path, method, operation] = found
          const named = path.split(/\{\w+\}/).reduce((left, right, index) => {
            // An empty part is another path.
            return `${left}${encodeURIComponent((parts[index - 1] ?? '').toWellFormed()) || 's0'}${right}`
          })
          const search = new URLSearchParams(query).toString()
          const answer = await server.send(
            method.toUpperCase(),
            `${named}${search && `?${search}`}`,
            method === 'post' ? given.text : undefined,
            { 'content-type': given.type, ...(accept === undefined ? {} : { accept }) },
          )
          const { status } = answer
          statuses.set(status, (statuses.get(status) ?? 0) + 1)
          const text = await answer.text()
          expect([status, text]).toSatisfy(
            ([held]) => held < 500 || held === 502 || held === 503 || held === 504,
          )
          const says = described(operation, status)
          expect([method, path, status, says !== undefined]).toEqual([method, path, status, true])
          const type = answer.headers.get('content-type')?.split(';')[0]
          const schema = type === undefined ? undefined : says?.content?.[type]
          expect([path, status, type, text === '' || schema !== undefined]).toEqual([
            path,
            status,
            type,
            true,
          ])
          if (type === 'application/problem+json')
            expect(ajv.validate({ $ref: 'document#/components/schemas/Problem' }, JSON.parse(text))).toBe(
              true,
            )
        },
      ),
      { numRuns: cases(20_000, 300) },
    )
    // Requests of one kind alone would show little.
    expect(statuses.get(200)).toBeGreaterThan(20)
    expect(statuses.size).toBeGreaterThan(3)
  },
  cases(20_000, 300) * 200,
)

function toolArguments(): string[] {
  const given = {
    header: `Authorization: Bearer ${server.token}`,
    checks: CHECKS.join(),
    'exclude-path': STREAM,
    'max-examples': String(cases(1800, 5)),
    phases: 'examples,coverage,fuzzing',
    'suppress-health-check': 'all',
    seed: String(SEED),
  }
  const flags = Object.entries(given).flatMap(([name, held]) => [`--${name}`, held])
  return ['run', `${server.url}/openapi.json`, '--continue-on-failure', '--no-color', ...flags]
}

test.skipIf(!hasTool)(
  `schemathesis finds no undocumented answer${hasTool ? '' : ` (skipped: ${WHY_NOT})`}`,
  async () => {
    const { stdout } = await promisify(execFile)(TOOL, toolArguments(), {
      // It keeps what it finds in a folder where it runs.
      cwd: await mkdtemp(join(tmpdir(), 'plasmid-fuzzed-')),
      maxBuffer: 64 * 1024 * 1024,
    }).catch((failed: unknown) => {
      throw new Error(String(failed instanceof Error && 'stdout' in failed ? failed.stdout : failed))
    })
    report('schemathesis', /\d+ generated.*/.exec(stdout)?.[0] ?? stdout)
    expect(stdout).toMatch(/(\d+) generated, \1 passed/)
  },
  cases(60 * 60_000, 5 * 60_000),
)
