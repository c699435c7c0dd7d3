import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { Json } from '../../src/base/canonical.ts'
import { ok } from '../../src/base/diagnostic.ts'
import { pin, type PinnedCatalog } from '../../src/catalog/digest.ts'
import type { ServedCatalog } from '../../src/catalog/model.ts'
import { readPlasm } from '../../src/catalog/readers/plasm/read.ts'
import { reviewText } from '../../src/engine/effects/review.ts'
import { execute } from '../../src/execution/executor.ts'
import type { Wire } from '../../src/execution/wire.ts'
import { readProgram } from '../../src/language/program.ts'
import { symbolSpace } from '../../src/session/exposure.ts'
import { worldOf } from '../execution/plans.ts'
import { cases } from '../law-cases.ts'

/*
 * Over lists that promise some fields of their rows: a plan counts the reads of single rows that its run makes. The list has
 * as many rows as stand here, each of another owner, and every condition holds, so that the most that a plan states is met.
 */

const ROWS = 12
const FIELDS = ['title', 'points', 'body'] as const

interface Api {
  readonly served: ServedCatalog
  readonly pinned: PinnedCatalog
}

const apis = new Map<string, Api>()

function apiOf(provides: readonly string[]): Api {
  const known = apis.get(provides.join())
  if (known) return known
  const served = catalogOf(provides)
  const api = { served, pinned: pin(served) }
  apis.set(provides.join(), api)
  return api
}

function catalogOf(provides: readonly string[]) {
  const reading = readPlasm({
    path: 'things',
    id: 'things',
    domain: {
      file: 'domain.yaml',
      text: `version: 1
http_backend: https://things.example
auth: { scheme: none }
values:
  word: { type: string, string_semantics: short }
  count: { type: integer }
  owner: { type: entity_ref, target: Owner }
  thing: { type: entity_ref, target: Thing }
entities:
  Thing:
    id_field: id
    fields: { id: { value_ref: word }, title: { value_ref: word }, points: { value_ref: count }, body: { value_ref: word }, owner: { value_ref: owner } }
    relations:
      parts: { target: Part, cardinality: many, materialize: { kind: query_scoped, capability: part_list, param: thing } }
  Part:
    id_field: id
    fields: { id: { value_ref: word }, thing: { value_ref: thing } }
  Owner:
    id_field: id
    fields: { id: { value_ref: word }, name: { value_ref: word } }
capabilities:
  thing_list: { kind: query, entity: Thing, provides: [${['id', 'owner', ...provides].join(', ')}] }
  thing_get: { kind: get, entity: Thing }
  part_list: { kind: query, entity: Part, parameters: [{ name: thing, value_ref: thing, required: true, role: scope }] }
  owner_get: { kind: get, entity: Owner }
`,
    },
    mappings: {
      file: 'mappings.yaml',
      text: `thing_list: { method: GET, path: [{ type: literal, value: things }], response: bare_list }
thing_get: { method: GET, path: [{ type: literal, value: things }, { type: var, name: id }] }
part_list: { method: GET, path: [{ type: literal, value: things }, { type: var, name: thing }, { type: literal, value: parts }], response: bare_list }
owner_get: { method: GET, path: [{ type: literal, value: owners }, { type: var, name: id }] }
`,
    },
  })
  if (!reading.catalog) throw new Error(JSON.stringify(reading.errors))
  return reading.catalog
}

/** Answers every read, and notes the paths of those of single rows. */
function upstream(provides: readonly string[], single: string[]): Wire {
  const whole = (id: string): { readonly [key: string]: Json } => ({
    id,
    owner: `o${id}`,
    title: `title ${id}`,
    points: Number(id),
    body: `body ${id}`,
  })
  const brief = (id: string) =>
    Object.fromEntries(
      Object.entries(whole(id)).filter(([name]) => ['id', 'owner', ...provides].includes(name)),
    )
  const answer = (path: string): Json => {
    const [kind, id = '', parts] = path.slice(1).split('/')
    if (kind === 'owners') return { id, name: `name of ${id}` }
    if (parts !== undefined) return []
    return id === '' ? Array.from({ length: ROWS }, (_, at) => brief(String(at + 1))) : whole(id)
  }
  return {
    send: async ({ target }) => {
      const path = 'path' in target ? target.path : ''
      if (path !== '/things') single.push(path)
      return { ok: true, reply: { status: 200, headers: {}, bytes: 10, requests: 1, body: answer(path) } }
    },
  }
}

const column = fc.constantFrom('id', ...FIELDS, 'owner.name')
const condition = fc.constantFrom('points>=0', 'title~"title"', 'body~"body"', 'owner.name~"name"')
const step = fc.oneof(
  fc.constantFrom('id', ...FIELDS, 'owner.name').map((one) => `.sort(${one})`),
  fc.integer({ min: 2, max: 9 }).map((count) => `.limit(${count})`),
)
const steps = fc.array(step, { maxLength: 3 }).map((all) => all.join(''))
const end = fc.oneof(
  fc.uniqueArray(column, { minLength: 1, maxLength: 4 }).map((columns) => `[${columns.join(', ')}]`),
  fc.constantFrom('', '.parts', '.owner', '.aggregate(n=max(points))', '.group_by(owner.name, n=count)'),
)
const head = fc.option(condition, { nil: '' }).map((one) => (one === '' ? 'Thing' : `Thing{${one}}`))
const chain = fc.tuple(head, steps, end).map((parts) => parts.join(''))
/** A label with two users, of which one may have conditions of its own. */
const shared = fc
  .tuple(head, steps, fc.tuple(fc.option(condition, { nil: '' }), steps, end), fc.tuple(steps, end))
  .map(([read, own, [on, after, last], other]) => {
    const first = `a${on === '' ? '' : `{${on}}`}${after}${last}`
    return `a = ${read}${own}\nb = ${first}\nc = a${other.join('')}\nb, c`
  })
const looped = fc
  .tuple(fc.integer({ min: 2, max: 9 }), end)
  .map(([count]) => `a = Thing.limit(${count})\na => Thing(_.id)`)
const anyProgram = fc.oneof({ weight: 6, arbitrary: chain }, { weight: 3, arbitrary: shared }, looped)

const READS = /; (?:\+ )?(?:at most )?(\d+) reads?( per (?:row|different)[^;\n]*)?/g

/** The reads of single rows that the plan states. */
function statedIn(review: string): number {
  return [...review.matchAll(READS)]
    .map(([, count, per]) => {
      const most = /at most (\d+)/.exec(per ?? '')?.[1]
      return Number(count) * (per === undefined ? 1 : Number(most ?? ROWS))
    })
    .reduce((all, one) => all + one, 0)
}

test('a plan counts the reads of single rows that its run makes', { timeout: 900_000 }, async () => {
  const seen = { refused: 0, none: 0, some: 0 }
  const anyProvides = fc.subarray([...FIELDS])
  await fc.assert(
    fc.asyncProperty(anyProvides, anyProgram, async (provides, program) => {
      const { served, pinned } = apiOf(provides)
      const entities = ['Owner', 'Part', 'Thing']
      const picks = [{ catalog: 'things', digest: pinned.digest, lens: 'all' as const, entities }]
      const space = symbolSpace([{ revision: 1, generation: 1, picks }], () => pinned.catalog)
      const model = () => pinned.catalog
      const read = readProgram(program, { space, model, allows: () => true, ref: 's0' })
      if (!read.ok) {
        seen.refused++
        return
      }
      const review = reviewText(read.plan, { effects: [] }, 'pc1', model)
      const single: string[] = []
      const wire = upstream(provides, single)
      const { problems } = await execute(read.plan, worldOf(pinned, { wire, admit: async () => ok(served) }))
      const about = `${program}\n${review}\n${provides.join()}\n${single.join('\n')}`
      expect(problems, about).toEqual([])
      expect(single.length, about).toBe(statedIn(review))
      const lines = review.split('\n').filter((line) => /^\d\d /.test(line))
      const reading = lines.filter((line) =>
        /^\d\d \S+ +(?:query|get|relation|reference|for each)|; /.test(line),
      )
      expect(review, about).toContain(`· ${lines.length}n ${reading.length}r `)
      seen[single.length === 0 ? 'none' : 'some']++
    }),
    { numRuns: cases(20_000) },
  )
  expect(Math.min(seen.none, seen.some)).toBeGreaterThan(cases(20_000) / 20)
  expect(seen.refused).toBeLessThan(cases(20_000) / 3)
})
