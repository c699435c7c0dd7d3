import { describe, expect, it } from 'vitest'
import { viewOf } from '../../../../src/catalog/call.ts'
import { fixtureCatalog } from '../../../engine/fixtures.ts'
import { briefly, modelOf, readSmall } from './small.ts'

const harbor = fixtureCatalog('harbor')

describe('a view', () => {
  it('is read with what each part is bound to', () => {
    expect(viewOf(harbor.capabilities.find(({ name }) => name === 'board_get'))).toEqual({
      scope: [],
      nodes: [
        { id: 'port', capability: 'port_get', bindings: [] },
        {
          id: 'home',
          capability: 'berth_get',
          bindings: [{ name: 'id', value: { kind: 'template', template: 'B-{{ port.home_berth }}' } }],
        },
        {
          id: 'ferries',
          capability: 'ship_query',
          bindings: [{ name: 'kind', value: { kind: 'literal', value: 'ferry' } }],
        },
      ],
      outputs: [
        { field: 'name', value: { kind: 'field', node: 'port', field: 'name' } },
        { field: 'quay', value: { kind: 'field', node: 'home', field: 'quay' } },
        { field: 'ships', value: { kind: 'count', node: 'ferries' } },
      ],
      relations: [],
    })
  })

  it('knows what gives its scope', () => {
    expect(viewOf(harbor.capabilities.find(({ name }) => name === 'sheet_get'))?.scope).toEqual([
      { name: 'ship', key: 'ship' },
      { name: 'site', injected: 'origin' },
    ])
  })

  it('lets its relations be walked', () => {
    const sheet = harbor.entities.find(({ name }) => name === 'ShipSheet')
    expect(sheet?.relations.map(({ name, many, via }) => `${name} ${many} ${via.kind}`)).toEqual([
      'berth false embedded',
      'stays true embedded',
      'repairs true embedded',
      'first_repair false embedded',
    ])
  })
})

const SHEET = `  Sheet:
    fields: { id: { value_ref: text }, title: { value_ref: text } }
    relations: { note: { target: Note, cardinality: one }, notes: { target: Note, cardinality: many } }`
const CAPABILITIES = `  sheet_get: { kind: get, entity: Sheet }
  note_query: { kind: query, entity: Note, parameters: [{ name: word, value_ref: text }] }
  note_create: { kind: create, entity: Note }`
const MAPPINGS = `sheet_get: { transport: view, view: sheet }
note_query: { method: GET, path: [{ type: literal, value: notes }] }
note_create: { method: POST, path: [{ type: literal, value: notes }] }`
const NODE = '{ id: n, capability: note_get, bind: { id: { kind: scope, param: id } } }'

/** A small catalog with one view; the text given replaces its parts. */
const read = (view: string, { capabilities = CAPABILITIES, mappings = MAPPINGS } = {}) =>
  readSmall({ top: `views:\n  sheet: ${view}`, entities: SHEET, capabilities, mappings })

const viewWith = ({ scope = '[{ name: id }]', nodes = NODE, output = '', relations = '', more = '' }) =>
  `{ description: d, capability: sheet_get, entity: Sheet, scope: ${scope}, nodes: [${nodes}], output: {${output}}, relation_outputs: [${relations}]${more} }`

describe('a view that cannot be', () => {
  it.each([
    ['an entity that is none', '{ capability: sheet_get, entity: Shet, nodes: [], output: {} }', 'unknown_name domain.yaml:3 Sheet'],
    ['a capability that is none', '{ capability: shet_get, entity: Sheet, nodes: [], output: {} }', 'unknown_name domain.yaml:3 sheet_get'],
    ['no nodes', '{ capability: sheet_get, entity: Sheet, output: {} }', 'missing_key domain.yaml:3'],
    ['a node twice', viewWith({ nodes: `${NODE}, ${NODE}` }), 'duplicate_name domain.yaml:3'],
    ['a node that writes', viewWith({ nodes: '{ id: n, capability: note_create }' }), 'view_node_kind domain.yaml:3'],
    ['a parameter that is none', viewWith({ nodes: '{ id: n, capability: note_query, bind: { wort: { kind: literal, value: x } } }' }), 'unknown_name domain.yaml:3 word'],
    ['a kind of binding that is none', viewWith({ nodes: '{ id: n, capability: note_query, bind: { word: { kind: literl, value: x } } }' }), 'not_one_of domain.yaml:3 literal'],
    ['a scope that is none', viewWith({ nodes: '{ id: n, capability: note_get, bind: { id: { kind: scope, param: ident } } }' }), 'unknown_name domain.yaml:3'],
    ['a later node', viewWith({ nodes: `{ id: m, capability: note_query, bind: { word: { kind: node_field, node: n, field: title } } }, ${NODE}` }), 'unknown_name domain.yaml:3'],
    ['a field of a node that is none', viewWith({ output: 'title: { kind: node_field, node: n, field: titel }' }), 'unknown_name domain.yaml:3 title'],
    ['an output that is no field', viewWith({ output: 'titel: { kind: scope, param: id }' }), 'unknown_name domain.yaml:3 title'],
    ['a template that is too long', viewWith({ output: `title: { kind: computed, template: "${'x'.repeat(33_000)}" }` }), 'view_template_too_long domain.yaml:3'],
    ['a relation that is none', viewWith({ relations: '{ relation: nots, binding: { kind: node_all_rows, node: n } }' }), 'unknown_name domain.yaml:3 note notes'],
    ['a relation to another entity', viewWith({ relations: '{ relation: note, target: Sheet, binding: { kind: node_single_row, node: n } }' }), 'view_relation_differs domain.yaml:3'],
    ['a relation of another cardinality', viewWith({ relations: '{ relation: note, cardinality: many, binding: { kind: node_single_row, node: n } }' }), 'view_relation_differs domain.yaml:3'],
  ])('names %s', (_, view, problem) => {
    expect(briefly(read(view).errors)).toContain(problem)
  }) // prettier-ignore

  it('warns of a key that is not known', () => {
    const { warnings } = read(viewWith({ more: ', ouput: {}' }))
    expect(briefly(warnings)).toContain('unknown_key domain.yaml:3 output')
  })

  it('names a view that is none, and one that does not answer', () => {
    const other = MAPPINGS.replace('view: sheet', 'view: shet')
    expect(briefly(read(viewWith({}), { mappings: other }).errors)).toEqual([
      'view_unanswered domain.yaml:3',
      'unknown_name mappings.yaml:2 sheet',
    ])
  })

  it('is answered by reads of its own entity alone', () => {
    const writes = CAPABILITIES.replace('kind: get, entity: Sheet', 'kind: create, entity: Note')
    expect(briefly(read(viewWith({}), { capabilities: writes }).errors)).toEqual([
      'view_kind mappings.yaml:2',
      'view_entity mappings.yaml:2',
    ])
  })
})

describe('a view that cannot run', () => {
  const lacking = (reading: ReturnType<typeof read>) =>
    modelOf(reading).capabilities.find(({ name }) => name === 'sheet_get')?.unsupported

  it('has parts that cannot', () => {
    const nodes = `${NODE}, { id: m, capability: note_query }`
    const mappings = MAPPINGS.replace(
      'note_query: { method: GET',
      'note_query: { transport: evm_call, method: GET',
    )
    expect(lacking(read(viewWith({ nodes }), { mappings }))).toEqual(['evm'])
  })

  it('is made of views', () => {
    const nodes = `${NODE}, { id: m, capability: sheet_get, bind: { id: { kind: scope, param: id } } }`
    expect(lacking(read(viewWith({ nodes })))).toEqual(['view_in_view'])
  })

  it('needs a scope that no caller can supply', () => {
    expect(lacking(read(viewWith({ scope: '[{ name: id }, { name: word }]' })))).toEqual(['unbound_variable'])
  })
})
