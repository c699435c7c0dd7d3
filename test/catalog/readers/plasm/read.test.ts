import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../../src/catalog/call.ts'
import { digestOf } from '../../../../src/catalog/digest.ts'
import { readPlasm } from '../../../../src/catalog/readers/plasm/read.ts'
import { briefly, modelOf, readSmall } from './small.ts'

const domain = `
http_backend: https://api.example/v1/
values:
  text: { type: string, string_semantics: short }
entities:
  Note:
    fields:
      id: { value_ref: text, required: true }
capabilities:
  note_get: { kind: get, entity: Note }
`
const mappings = 'note_get: { method: GET, path: [{ type: literal, value: notes }, { type: var, name: id }] }'
const two = { path: 'notes', id: 'notes', domain: { file: 'domain.yaml', text: domain } }
const whole = readPlasm({ ...two, mappings: { file: 'mappings.yaml', text: mappings } })

describe('reading a Plasm catalog', () => {
  it('gives the whole model', () => {
    expect(whole).toEqual({
      path: 'notes',
      id: 'notes',
      errors: [],
      warnings: [],
      catalog: {
        id: 'notes',
        version: 0,
        origin: 'https://api.example/v1',
        otherOrigins: [],
        aliases: [],
        entities: [
          {
            name: 'Note',
            key: ['id'],
            implicitIdentity: false,
            abstract: false,
            aliases: [],
            fields: [
              {
                name: 'id',
                type: { kind: 'string', semantics: 'short' },
                value: 'text',
                required: true,
                path: ['id'],
              },
            ],
            relations: [],
            terms: [],
          },
        ],
        capabilities: [
          {
            name: 'note_get',
            entity: 'Note',
            kind: 'get',
            label: 'get',
            parameters: [],
            openInput: false,
            effect: 'read',
            omitAggregateScope: false,
            call: {
              kind: 'http',
              request: {
                method: 'GET',
                path: [
                  { type: 'literal', value: 'notes' },
                  { type: 'var', name: 'id', suffix: '', encode: 'segment' },
                ],
                bodyFormat: 'json',
                response: { single: false, scalar: false },
              },
            },
            unsupported: [],
            terms: [],
          },
        ],
        auth: { scheme: 'none' },
        unsupported: [],
      },
    })
  })

  it('freezes the model through and through', () => {
    const catalog = modelOf(whole)
    expect(Object.isFrozen(catalog.entities[0]?.fields[0]?.type)).toBe(true)
    expect(Object.isFrozen(requestOf(catalog.capabilities[0])?.path)).toBe(true)
  })

  it('takes templates from the same file', () => {
    const text = `${domain}mappings:\n  ${mappings}\n`
    const reading = readPlasm({ ...two, domain: { file: 'notes.yaml', text } })
    expect(digestOf(modelOf(reading))).toBe(digestOf(modelOf(whole)))
  })

  it('takes the interchange form', () => {
    const text = `
http_backend: https://api.example/v1
values:
  text: { field_type: string, string_semantics: short }
entities:
  Note:
    name: Note
    fields:
      id: { name: id, value_ref: text, field_type: string, string_semantics: short, allowed_values: null, required: true }
    relations: {}
capabilities:
  note_get:
    name: note_get
    kind: get
    domain: Note
    mapping:
      template:
        method: GET
        path: [{ type: literal, value: notes }, { type: var, name: id }]
`
    const reading = readPlasm({ ...two, domain: { file: 'notes.cgs.yaml', text } })
    expect(reading.warnings).toEqual([])
    expect(digestOf(modelOf(reading))).toBe(digestOf(modelOf(whole)))
  })

  it('is the same with CRLF and BOM', () => {
    const text = `\uFEFF${domain}`.replaceAll('\n', '\r\n')
    const reading = readPlasm({
      ...two,
      domain: { file: 'd', text },
      mappings: { file: 'm', text: mappings },
    })
    expect(digestOf(modelOf(reading))).toBe(digestOf(modelOf(whole)))
  })

  it('prefers the id that the text gives', () => {
    const { id, catalog } = readSmall({ top: 'entry_id: memo\nregistry_aliases: [notes]' })
    expect([id, catalog?.id, catalog?.aliases]).toEqual(['memo', 'memo', ['notes']])
  })

  it('reports all errors with their lines', () => {
    const reading = readSmall({
      top: 'auth: { scheme: beerer_token }',
      values: '  when: { type: datte }\n  kin: { type: entity_ref, target: Nota }',
      entities:
        '      kin: { value_ref: kyn }\n    relations:\n      next: { target: Notes, cardinality: one }',
      capabilities: '  note_list: { kind: list, entity: Note }\n  note_close: { kind: action, entity: Noot }',
      mappings: 'note_list: { method: FETCH, path: [] }\nnote_closed: { method: POST, path: [] }',
    })
    expect(reading.catalog).toBeUndefined()
    expect(briefly(reading.errors)).toEqual([
      'not_one_of domain.yaml:2 bearer_token',
      'not_one_of domain.yaml:5 date',
      'unknown_name domain.yaml:6 Note',
      'unknown_name domain.yaml:12 kin',
      'not_one_of domain.yaml:17',
      'not_one_of mappings.yaml:2',
      'unknown_name domain.yaml:18',
      'missing_mapping domain.yaml:18 note_closed',
      'unknown_name domain.yaml:14 Note',
    ])
  })

  it('names the right kinds of capabilities', () => {
    const [error] = readSmall({
      capabilities: '  it: { kind: list, entity: Note }',
      mappings: 'it: {}',
    }).errors
    expect(error).toEqual({
      code: 'not_one_of',
      message:
        '`capabilities.it.kind` must be `query`, `search`, `get`, `create`, `update`, `delete`, `action` or `singleton`, got `list`.',
      next: 'Use one of these values.',
      file: 'domain.yaml',
      line: 14,
      nearest: [],
    })
  })

  it('warns of keys that do nothing', () => {
    const { warnings, errors } = readSmall({
      top: 'verison: 2\nschema_overlay: { sources: {} }\noauth: { scope: {} }',
      entities:
        '      kin: { value_ref: text, requird: true }\n    relations:\n      n: { target: Note, cardinality: many, via_param: x }',
      capabilities: '  note_list: { kind: query, entity: Note, kidn: 1 }',
      mappings:
        'note_list: { method: GET, path: [], query_params: {}, response: { last_page: x } }\nstray: {}\nx-kept: {}',
    })
    expect(errors).toEqual([])
    expect(briefly(warnings)).toEqual([
      'unknown_key domain.yaml:2 version',
      'unknown_key domain.yaml:13 required',
      'unknown_key domain.yaml:15 materialize',
      'unknown_key domain.yaml:18 kind',
      'unknown_key mappings.yaml:2 query',
      'unknown_key mappings.yaml:2 pagination',
      'unknown_key domain.yaml:4 scopes',
      'unknown_key domain.yaml:3 source',
      'orphan_mapping mappings.yaml:3',
      'part_not_done domain.yaml:3',
    ])
  })

  it('refuses what cannot be an origin', () => {
    for (const origin of ['ftp://a.example', 'a.example', 'https://u:p@a.example', 'https://a.example/?q']) {
      const text = domain.replace('https://api.example/v1/', origin)
      const { errors } = readPlasm({
        ...two,
        domain: { file: 'd', text },
        mappings: { file: 'm', text: mappings },
      })
      expect(briefly(errors)).toEqual(['bad_url d:2'])
    }
  })

  it('needs templates from somewhere', () => {
    expect(briefly(readPlasm(two).errors)).toEqual(['missing_key domain.yaml:2'])
  })
})
