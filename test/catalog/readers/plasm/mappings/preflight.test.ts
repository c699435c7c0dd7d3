import { describe, expect, it } from 'vitest'
import { fixtureCatalog } from '../../../../engine/fixtures.ts'
import { briefly, modelOf, readSmall } from '../small.ts'

describe('reads before a call', () => {
  it('are read with what they look at and what they fill', () => {
    const assign = fixtureCatalog('harbor').capabilities.find(({ name }) => name === 'ship_assign')
    expect(assign?.preflight).toEqual([
      { kind: 'target', get: 'ship_get', prefix: 'ship' },
      {
        kind: 'reference',
        parameter: 'berth',
        get: 'berth_get',
        found: [{ variable: 'quay', field: 'quay' }],
      },
      {
        kind: 'pick',
        when: 'pilot_name',
        query: 'pilot_query',
        bindings: [{ parameter: 'quay', value: { kind: 'target', prefix: 'ship', path: ['place', 'quay'] } }],
        field: 'name',
        equals: 'pilot_name',
        found: [{ variable: 'pilotBadge', field: 'badge' }],
      },
      {
        kind: 'labels',
        add: 'add_flag',
        remove: 'remove_flag',
        query: 'flag_query',
        prefix: 'ship',
        path: ['flags'],
        variable: 'flagIds',
      },
    ])
  })

  const PARAMETERS = 'parameters: [{ name: word, value_ref: text }, { name: note, value_ref: note }]'
  const read = (steps: string, kind = 'update') =>
    readSmall({
      values: '  note: { type: entity_ref, target: Note }',
      entities: '  Other: { abstract: true, fields: { id: { value_ref: text } } }',
      capabilities: `  it: { kind: ${kind}, entity: Note, ${PARAMETERS}, preflight: [${steps}] }
  note_query: { kind: query, entity: Note, parameters: [{ name: title, value_ref: text }] }
  other_get: { kind: get, entity: Other }`,
      mappings: `it: { method: PATCH, path: [{ type: literal, value: notes }, { type: var, name: id }] }
note_query: { method: GET, path: [{ type: literal, value: notes }] }
other_get: { method: GET, path: [{ type: literal, value: others }, { type: var, name: id }] }`,
    })
  const TARGET = '{ kind: hydrate_invoke_target, get: note_get, prefix: old }'
  const pick = (more: string) => `{ kind: query_pick, query: note_query, ${more} }`
  const SCOPE = 'scope: { title: { from_param: word } }'
  const PICK = 'pick: { field: title, equals_param: word }'

  it('that fit are no problem', () => {
    const steps = `${TARGET}, ${pick(`${SCOPE}, ${PICK}, merge: { found: id }`)}`
    const reading = read(steps)
    expect(briefly(reading.errors)).toEqual([])
    expect(modelOf(reading).capabilities.find(({ name }) => name === 'it')?.unsupported).toEqual([])
  })

  it.each([
    ['a kind that is none', '{ kind: query_pik }', 'not_one_of domain.yaml:14 query_pick'],
    ['no kind', '{ get: note_get }', 'missing_key domain.yaml:14'],
    ['a key of another kind', TARGET.replace('prefix: old', 'prefix: old, when: word'), 'preflight_key_unfit domain.yaml:14'],
    ['a key that is none', TARGET.replace('prefix:', 'prefx: a, prefix:'), undefined],
    ['a capability that is none', TARGET.replace('note_get', 'nte_get'), 'unknown_name domain.yaml:14 note_get'],
    ['a get of another entity', TARGET.replace('note_get', 'other_get'), 'preflight_capability_unfit domain.yaml:14'],
    ['a prefix twice', `${TARGET}, ${TARGET}`, 'duplicate_name domain.yaml:14'],
    ['a parameter that is no reference', '{ kind: hydrate_entity_ref_param, param: word, get: note_get, merge: { a: id } }', 'preflight_not_reference domain.yaml:14'],
    ['a parameter that is none', '{ kind: hydrate_entity_ref_param, param: nte, get: note_get, merge: { a: id } }', 'unknown_name domain.yaml:14 note'],
    ['a field that is none', '{ kind: hydrate_entity_ref_param, param: note, get: note_get, merge: { a: titel } }', 'unknown_name domain.yaml:14 title'],
    ['a get where a list is wanted', pick(`${SCOPE}, ${PICK}, merge: { a: id }`).replace('note_query', 'note_get'), 'preflight_capability_unfit domain.yaml:14'],
    ['an empty scope', pick(`scope: {}, ${PICK}, merge: { a: id }`), 'preflight_unscoped domain.yaml:14'],
    ['a scope that the query lacks', pick(`scope: { titel: { from_param: word } }, ${PICK}, merge: { a: id }`), 'unknown_name domain.yaml:14 title'],
    ['a prefix that nothing set', pick(`scope: { title: { from_preflight: { prefix: old, path: [x] } } }, ${PICK}, merge: { a: id }`), 'unknown_name domain.yaml:14'],
    ['a variable twice', `${pick(`${SCOPE}, ${PICK}, merge: { a: id }`)}, ${pick(`${SCOPE}, ${PICK}, merge: { a: title }`)}`, 'duplicate_name domain.yaml:14'],
    ['a variable of the session', pick(`${SCOPE}, ${PICK}, merge: { plasm_execute_session_id: id }`), 'preflight_variable_reserved domain.yaml:14'],
    ['labels without ids', `${TARGET}, { kind: label_ids_delta, add_when: word, remove_when: word, lookup: note_query, from_preflight: { prefix: old, path: [labels] }, merge: ids }`, 'preflight_labels_unfit domain.yaml:14'],
  ])('name %s', (_, steps, problem) => {
    const { errors, warnings } = read(steps)
    if (problem === undefined) expect(briefly(warnings)).toContain('unknown_key domain.yaml:14 prefix')
    else expect(briefly(errors)).toContain(problem)
  }) // prettier-ignore

  it('are only for capabilities that change a target', () => {
    expect(briefly(read(TARGET, 'create').errors)).toEqual(['preflight_without_target domain.yaml:14'])
    expect(briefly(read(TARGET, 'query').errors)).toEqual(['preflight_unfit domain.yaml:14'])
  })

  it('may lack what their capability lacks', () => {
    const steps = pick(`${SCOPE}, ${PICK}, merge: { found: id }`)
    const reading = readSmall({
      capabilities: `  it: { kind: update, entity: Note, parameters: [{ name: word, value_ref: text }], preflight: [${steps}] }
  note_query: { kind: query, entity: Note, parameters: [{ name: title, value_ref: text }] }`,
      mappings: `it: { method: PATCH, path: [{ type: literal, value: notes }, { type: var, name: id }] }
note_query: { transport: evm_call }`,
    })
    expect(modelOf(reading).capabilities.find(({ name }) => name === 'it')?.unsupported).toEqual(['evm'])
  })
})
