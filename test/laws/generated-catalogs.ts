import fc from 'fast-check'
import type { Capability, Catalog, Parameter, Relation, Type } from '../../src/catalog/model.ts'
import type { Expression } from '../../src/catalog/calls/http-request.ts'
import { capability, desk, entity, field, parameter } from '../language/desk-catalog.ts'

/*
 * Small catalogs of every shape: keys of one and two parts, relations that are embedded, queried, got or only documented,
 * queries whose required arguments the relation does not bind, texts that need an optional argument.
 */

const NAMES = ['Ant', 'Bee', 'Cat'] as const

const plainType: fc.Arbitrary<Type> = fc.constantFrom<Type>(
  { kind: 'string', semantics: 'short' },
  { kind: 'string', semantics: 'markdown' },
  { kind: 'integer' },
  { kind: 'boolean' },
  { kind: 'date', format: 'iso8601_date' },
  { kind: 'select', options: ['low', 'high'] },
  { kind: 'array', items: { kind: 'string', semantics: 'short' } },
)
const anyType: fc.Arbitrary<Type> = fc.oneof(
  plainType,
  fc.constantFrom<Type>(...NAMES.map((name) => ({ kind: 'reference', entity: name }) as const)),
)

const parameters = fc
  .uniqueArray(
    fc.record({
      name: fc.constantFrom('alpha', 'beta', 'gamma', 'delta', 'title', 'size'),
      type: anyType,
      required: fc.boolean(),
      scope: fc.boolean(),
    }),
    { maxLength: 3, selector: ({ name }) => name },
  )
  .map((all) =>
    all.map(({ name, type, required, scope }): Parameter =>
      parameter(name, type, required, scope && required ? 'scope' : 'plain'),
    ),
  )

interface Draft {
  readonly compound: boolean
  readonly fields: readonly Type[]
  readonly gets: boolean
  readonly lists: boolean
  readonly searches: boolean
  readonly query: readonly Parameter[]
  readonly create: readonly Parameter[]
  readonly action: readonly Parameter[]
  /** Some text of the action's request needs this of its arguments. */
  readonly text: number
  readonly relations: readonly { readonly target: number; readonly via: number; readonly many: boolean }[]
  readonly provides: boolean
}

const draft: fc.Arbitrary<Draft> = fc.record({
  compound: fc.boolean(),
  fields: fc.array(anyType, { minLength: 1, maxLength: 4 }),
  gets: fc.boolean(),
  lists: fc.boolean(),
  searches: fc.boolean(),
  query: parameters,
  create: parameters,
  action: parameters,
  text: fc.nat({ max: 5 }),
  relations: fc.array(
    fc.record({
      target: fc.nat({ max: NAMES.length - 1 }),
      via: fc.nat({ max: 3 }),
      many: fc.boolean(),
    }),
    { maxLength: 3 },
  ),
  provides: fc.boolean(),
})

/** A valid catalog; its capabilities are never called. */
export const catalogs: fc.Arbitrary<Catalog> = fc.tuple(draft, draft, draft).map((drafts): Catalog => ({
  ...desk,
  id: 'made',
  aliases: [],
  entities: drafts.map((one, at) => {
    const key = one.compound ? ['owner', 'number'] : ['id']
    const slots = one.fields.map((type, index) => field(`f${index}`, type))
    return entity(NAMES[at] ?? '', [...key.map((name) => field(name)), ...slots], {
      key,
      relations: one.relations.map((relation, index) => relationOf(drafts, relation, index)),
    })
  }),
  capabilities: drafts.flatMap((one, at) => capabilitiesOf(one, NAMES[at] ?? '')),
}))

function relationOf(
  drafts: readonly Draft[],
  { target, via, many }: Draft['relations'][number],
  index: number,
): Relation {
  const name = NAMES[target] ?? ''
  const to = drafts[target]
  const relation = { name: `r${index}`, target: name, many }
  const [first] = to?.query ?? []
  if (via === 1) return { ...relation, via: { kind: 'embedded' } }
  if (via === 2 && to?.lists === true && first)
    return {
      ...relation,
      many: true,
      via: {
        kind: 'query',
        capability: `${name.toLowerCase()}_query`,
        bindings: [{ parameter: first.name }],
      },
    }
  if (via === 3) return { ...relation, via: { kind: 'parent', path: ['list'] } }
  return { ...relation, via: { kind: 'none' } }
}

function capabilitiesOf(one: Draft, name: string): Capability[] {
  const lower = name.toLowerCase()
  const provides = one.provides ? { provides: ['f0'] } : {}
  const list = capability(`${lower}_query`, name, 'query', { parameters: one.query, ...provides })
  const text = one.action[one.text]
  return [
    ...(one.gets ? [withKey(capability(`${lower}_get`, name, 'get', provides), one)] : []),
    ...(one.lists ? [list] : []),
    ...(one.searches
      ? [
          capability(`${lower}_search`, name, 'search', {
            parameters: [
              parameter('q', { kind: 'string', semantics: 'short' }, true, 'search'),
              ...one.create.filter(({ required }) => !required),
            ],
          }),
        ]
      : []),
    capability(`${lower}_create`, name, 'create', { parameters: one.create }),
    withKey(
      capability(`${lower}_poke`, name, 'action', { parameters: one.action }),
      one,
      text && {
        type: 'object',
        fields: [
          ['said', { type: 'format', template: '{it}', vars: [['it', { type: 'var', name: text.name }]] }],
        ],
      },
    ),
  ]
}

function withKey(one: Capability, { compound }: Draft, body?: Expression): Capability {
  const { call } = one
  if (call?.kind !== 'http') return one
  const names = compound ? ['owner', 'number'] : ['id']
  const path = names.map((name) => ({ type: 'var', name, suffix: '', encode: 'segment' }) as const)
  return { ...one, call: { ...call, request: { ...call.request, path, ...(body && { body }) } } }
}
