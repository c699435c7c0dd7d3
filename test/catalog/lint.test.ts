import { describe, expect, it } from 'vitest'
import { lint } from '../../src/catalog/lint/lint.ts'
import { briefly, modelOf, readSmall } from './readers/plasm/small.ts'

const list = (query: string) => `it: { method: GET, path: [], query: { type: object, fields: [${query}] } }`
const q = '[q, { type: var, name: q }]'
const guarded =
  '[q, { type: if, condition: { type: exists, var: q }, then_expr: { type: var, name: q }, else_expr: { type: const, value: null } }]'

describe('lint', () => {
  it.each([
    [
      'a clean catalog',
      '{ kind: query, entity: Note, parameters: [{ name: q, value_ref: text }] }',
      list(guarded),
      [],
    ],
    [
      'an optional parameter that is always sent',
      '{ kind: query, entity: Note, parameters: [{ name: q, value_ref: text }] }',
      list(q),
      ['unguarded_variable domain.yaml:14'],
    ],
    [
      'a variable that nobody supplies',
      '{ kind: query, entity: Note }',
      list(q),
      ['unknown_variable domain.yaml:14'],
    ],
    [
      'a parameter that is never used',
      '{ kind: query, entity: Note, parameters: [{ name: q, value_ref: text }, { name: r, value_ref: text }] }',
      list(guarded),
      ['unused_parameter domain.yaml:14'],
    ],
    [
      'provided names that are no fields',
      '{ kind: query, entity: Note, provides: [titel, id] }',
      list(''),
      ['unknown_provides domain.yaml:14 title'],
    ],
    [
      'an action that says nothing',
      '{ kind: action, entity: Note }',
      'it: { method: POST, path: [{ type: var, name: id }] }',
      ['action_says_nothing domain.yaml:14'],
    ],
  ])('finds %s', (_, row, mapping, wanted) => {
    const { warnings, errors } = readSmall({ capabilities: `  it: ${row}`, mappings: mapping })
    expect(errors).toEqual([])
    expect(briefly(warnings)).toEqual(wanted)
  })

  it('reports all unknown names at once, and none if the entity has errors', () => {
    const mappings = list('')
    const row = (entity: string) => `  it: { kind: query, entity: ${entity}, provides: [a, b, id, a] }`
    const { warnings } = readSmall({ capabilities: row('Note'), mappings })
    expect(warnings.map(({ message }) => message)).toEqual([
      '`it` provides `a` and `b`, which its entity does not have.',
    ])
    const broken = readSmall({ entities: '  Broken: 5', capabilities: row('Broken'), mappings })
    expect([briefly(broken.errors), broken.warnings]).toEqual([['wrong_shape domain.yaml:11'], []])
  })

  it('leaves provided strangers out of the model', () => {
    const reading = readSmall({
      capabilities: '  it: { kind: query, entity: Note, provides: [titel, id] }',
      mappings: list(''),
    })
    expect(modelOf(reading).capabilities[1]?.provides).toEqual(['id'])
  })

  it('finds what a whole entity lacks', () => {
    const { warnings } = readSmall({
      entities: '  Lost:\n    fields: { id: { value_ref: text } }',
      capabilities:
        '  a: { kind: query, entity: Note }\n  b: { kind: query, entity: Note }\n  title: { kind: action, entity: Note, provides: [id] }',
      mappings:
        'a: { method: GET, path: [] }\nb: { method: GET, path: [] }\ntitle: { method: POST, path: [{ type: var, name: id }] }',
    })
    expect(briefly(warnings)).toEqual([
      'two_plain_reads domain.yaml:8',
      'name_clash domain.yaml:8',
      'entity_unreachable domain.yaml:12',
    ])
  })

  it('warns of a GET that counts as a write until it is declared a read', () => {
    const ring = '{ kind: action, entity: Note, output: { type: side_effect, description: Rings } }'
    const mappings = 'it: { method: GET, path: [{ type: var, name: id }] }'
    const codes = (row: string) => readSmall({ capabilities: `  it: ${row}`, mappings }).warnings
    expect(briefly(codes(ring))).toEqual(['get_is_write domain.yaml:14'])
    expect(briefly(codes(ring.replace('entity', 'effect: read, entity')))).toEqual([])
  })

  it('warns of a text that no field reads', () => {
    const mappings = 'it: { method: GET, path: [{ type: var, name: id }], response: { format: text } }'
    const { warnings } = readSmall({ capabilities: '  it: { kind: get, entity: Note }', mappings })
    expect(briefly(warnings)).toEqual(['value_unread domain.yaml:14'])
  })

  it('refuses a PUT as a read', () => {
    const { errors } = readSmall({
      capabilities: '  it: { kind: update, entity: Note, effect: read }',
      mappings: 'it: { method: PUT, path: [{ type: var, name: id }] }',
    })
    expect(briefly(errors)).toEqual(['read_unfit domain.yaml:14'])
  })

  it('works without a file', () => {
    const catalog = modelOf(
      readSmall({
        capabilities: '  it: { kind: action, entity: Note }',
        mappings: 'it: { method: POST, path: [{ type: var, name: id }] }',
      }),
    )
    expect(lint(catalog)).toEqual([
      {
        code: 'action_says_nothing',
        message: 'The action `it` declares neither `provides` nor an output.',
        next: 'Add `provides`, or an `output` of type side_effect with a description.',
      },
    ])
  })
})
