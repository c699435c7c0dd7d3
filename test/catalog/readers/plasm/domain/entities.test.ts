import { describe, expect, it } from 'vitest'
import { briefly, modelOf, readSmall } from '../small.ts'

const entity = (text: string, values = '') => readSmall({ entities: `  It: ${text}`, values })
const itOf = (text: string, values = '') => modelOf(entity(text, values)).entities[1]

const field = (derive: string) =>
  itOf(`{ abstract: true, fields: { id: { value_ref: text, path: a.b, derive: ${derive} } } }`)?.fields[0]

describe('values', () => {
  it.each([
    ['{ type: string, string_semantics: markdown }', { kind: 'string', semantics: 'markdown' }],
    ['{ type: string, string_semantics: blob }', { kind: 'blob' }],
    ['{ type: blob, encoding: base64url }', { kind: 'blob', url: true }],
    ['{ type: blob, description: base64url-encoded bytes }', { kind: 'blob', url: true }],
    ['{ type: blob, description: base64url no more, encoding: base64 }', { kind: 'blob' }],
    ['{ type: uuid }', { kind: 'uuid' }],
    ['{ type: int }', { kind: 'integer' }],
    ['{ type: float }', { kind: 'number' }],
    ['{ type: bool }', { kind: 'boolean' }],
    ['{ type: enum, allowed_values: [a, b, a] }', { kind: 'select', options: ['a', 'b'] }],
    ['{ type: multi_select, allowed_values: [a] }', { kind: 'multi_select', options: ['a'] }],
    ['{ type: datetime, value_format: { temporal: unix_ms } }', { kind: 'date', format: 'unix_ms' }],
    ['{ type: json }', { kind: 'json' }],
    ['{ type: entity_ref, target: Note }', { kind: 'reference', entity: 'Note' }],
    ['{ type: array, items: { value_ref: later } }', { kind: 'array', items: { kind: 'integer' } }],
  ])('%s is a type', (row, type) => {
    const read = itOf(
      '{ fields: { id: { value_ref: v } }, abstract: true }',
      `  v: ${row}\n  later: { type: integer }`,
    )
    expect(read?.fields[0]?.type).toEqual(type)
  })

  it.each([
    ['{ }', 'missing_key'],
    ['{ type: strnig }', 'not_one_of'],
    ['{ type: date }', 'missing_key'],
    ['{ type: date, value_format: rfc3340 }', 'not_one_of'],
    ['{ type: integer, value_format: rfc3339 }', 'does_not_belong'],
    ['{ type: integer, string_semantics: short }', 'does_not_belong'],
    ['{ type: entity_ref }', 'missing_key'],
    ['{ type: entity_ref, target: Nope }', 'unknown_name'],
    ['{ type: multi_select }', 'missing_key'],
    ['{ type: select, allowed_values: [1] }', 'wrong_shape'],
    ['{ type: array }', 'missing_key'],
    ['{ type: array, items: { value_ref: v } }', 'nested_array'],
    ['{ type: array, items: { value_ref: nope } }', 'unknown_name'],
    ['text', 'wrong_shape'],
  ])('%s is an error', (row, code) => {
    expect(
      readSmall({ values: `  v: ${row}` }).errors.map((error) => [error.code, error.line]),
    ).toContainEqual([code, 5])
  })

  it('read what says too little, with a warning', () => {
    const reading = readSmall({ values: '  a: { type: select }\n  b: { type: string }' })
    expect(briefly(reading.warnings)).toEqual([
      'select_without_options domain.yaml:5',
      'string_without_semantics domain.yaml:6',
    ])
    expect(reading.errors).toEqual([])
  })
})

describe('entities', () => {
  it('are identified by a field, or by several', () => {
    const fields =
      'fields: { id: { value_ref: text }, a: { value_ref: text }, b: { value_ref: text } }, abstract: true'
    expect(itOf(`{ ${fields} }`)?.key).toEqual(['id'])
    expect(itOf(`{ ${fields}, id_field: a }`)?.key).toEqual(['a'])
    expect(itOf(`{ ${fields}, key_vars: [b] }`)?.key).toEqual(['b'])
    expect(itOf(`{ ${fields}, key_vars: [a, b], id_field: b }`)?.key).toEqual(['a', 'b'])
    expect(itOf(`{ ${fields}, key_vars: [a, b], id_from: user.id }`)).toMatchObject({
      key: ['a', 'b'],
      idFrom: ['user', 'id'],
    })
  })

  it('may find their id elsewhere', () => {
    expect(
      itOf('{ fields: { a: { value_ref: text } }, id_from: [user, id], abstract: true }')?.idFrom,
    ).toEqual(['user', 'id'])
    expect(
      itOf('{ fields: { a: { value_ref: text } }, implicit_request_identity: true, abstract: true }')
        ?.implicitIdentity,
    ).toBe(true)
  })

  it.each([
    ['{ fields: { a: { value_ref: text } } }', ['unknown_name domain.yaml:11']],
    ['{ fields: { a: { value_ref: text } }, id_field: aa }', ['unknown_name domain.yaml:11 a']],
    [
      '{ fields: { a: { value_ref: text } }, key_vars: [a, c], id_field: a }',
      ['unknown_name domain.yaml:11 a'],
    ],
    [
      '{ fields: { a: { value_ref: text }, b: { value_ref: text } }, key_vars: [a, b] }',
      ['key_without_id domain.yaml:11'],
    ],
    ['{ id_field: id }', ['missing_key domain.yaml:11', 'unknown_name domain.yaml:11']],
    [
      '{ fields: { id: { value_ref: text } }, primary_read: note_gett }',
      ['unknown_name domain.yaml:11 note_get'],
    ],
    [
      '{ fields: { id: { value_ref: text } }, primary_read: note_get }',
      ['primary_read_unfit domain.yaml:11'],
    ],
    [
      '{ fields: { id: { value_ref: text } }, expression_aliases: [Note] }',
      ['duplicate_name domain.yaml:11'],
    ],
  ])('%s is an error', (text, wanted) => {
    expect(briefly(entity(text).errors)).toEqual(wanted)
  })

  it('derive fields', () => {
    expect(
      field(
        '{ type: segments_after_prefix, prefix: "https://x/", alternate_prefixes: ["http://x/"], part_index: 1 }',
      ),
    ).toMatchObject({
      path: ['a', 'b'],
      derive: { type: 'segment_after_prefix', prefixes: ['https://x/', 'http://x/'], index: 1 },
    })
    expect(field('{ type: name_value_array_lookup, equals: From, case_insensitive: true }')?.derive).toEqual({
      type: 'lookup_in_pairs',
      equals: 'From',
      nameField: 'name',
      valueField: 'value',
      ignoreCase: true,
    })
    expect(field('{ type: object_key_lookup, key: k }')?.derive).toEqual({
      type: 'lookup_key',
      key: 'k',
      ignoreCase: false,
    })
    expect(
      field('{ type: colon_pair_prefer_keys_else_block_refs, prefer_keys: [a], blocks_key: b, segment: c }')
        ?.derive,
    ).toEqual({ type: 'colon_pair', keys: ['a'], list: 'b', field: 'ref', segment: 'c' })
  })

  it('take words and paths', () => {
    const read = itOf(
      '{ abstract: true, discovery: { names: [slip], qualifier_names: [paper] }, fields: { id: { value_ref: text, path: [] } } }',
    )
    expect([read?.terms, read?.fields[0]?.path]).toEqual([['slip', 'paper'], []])
  })
})

const relation = (text: string) =>
  readSmall({
    entities: `    relations:\n      r: ${text}`,
    capabilities:
      '  note_list: { kind: query, entity: Note, parameters: [{ name: parent, value_ref: text, role: scope }] }\n  note_drop: { kind: delete, entity: Note }',
    mappings:
      'note_list: { method: GET, path: [{ type: literal, value: notes }], query: { type: object, fields: [[p, { type: if, condition: { type: exists, var: parent }, then_expr: { type: var, name: parent }, else_expr: { type: const, value: null } }]] } }\nnote_drop: { method: DELETE, path: [{ type: var, name: id }] }',
  })

describe('relations', () => {
  const note = 'target: Note, cardinality'

  it.each([
    [`{ ${note}: many }`, { many: true, via: { kind: 'none' } }],
    [`{ ${note}: one }`, { many: false, via: { kind: 'embedded' } }],
    [`{ ${note}: one, materialize: { kind: unavailable } }`, { many: false, via: { kind: 'embedded' } }],
    [
      `{ ${note}: many, materialize: { kind: from_parent_get, path: [{ key: a }, { wildcard: true }] } }`,
      { many: true, via: { kind: 'parent', path: ['a', { wildcard: true }] } },
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped, capability: note_list, param: parent } }`,
      { many: true, via: { kind: 'query', capability: 'note_list', bindings: [{ parameter: 'parent' }] } },
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped_bindings, capability: note_list, bindings: { parent: title } } }`,
      {
        many: true,
        via: { kind: 'query', capability: 'note_list', bindings: [{ parameter: 'parent', field: 'title' }] },
      },
    ],
  ])('%s is walked', (text, wanted) => {
    expect(modelOf(relation(text)).entities[0]?.relations).toEqual([{ name: 'r', target: 'Note', ...wanted }])
  })

  it.each([
    ['{ target: Nota, cardinality: one }', 'unknown_name'],
    ['{ target: Note }', 'missing_key'],
    [`{ ${note}: many, materialize: { kind: from_parent } }`, 'not_one_of'],
    [`{ ${note}: many, materialize: { kind: from_parent_get, path: [] } }`, 'path_empty'],
    [
      `{ ${note}: many, materialize: { kind: from_parent_get, path: [{ wildcard: false }] } }`,
      'wildcard_not_true',
    ],
    [
      `{ ${note}: one, materialize: { kind: query_scoped, capability: note_list, param: parent } }`,
      'relation_cardinality',
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped, capability: note_lst, param: parent } }`,
      'relation_capability_unknown',
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped, capability: note_drop, param: parent } }`,
      'relation_capability_unfit',
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped, capability: note_list, param: parnt } }`,
      'relation_parameter_unknown',
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped_bindings, capability: note_list, bindings: {} } }`,
      'bindings_empty',
    ],
    [
      `{ ${note}: many, materialize: { kind: query_scoped_bindings, capability: note_list, bindings: { parent: x } } }`,
      'relation_field_unknown',
    ],
  ])('%s is an error', (text, code) => {
    expect(relation(text).errors.map((error) => [error.code, error.line])).toEqual([[code, 12]])
  })
})
