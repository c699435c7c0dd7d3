import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../../../src/catalog/call.ts'
import { briefly, modelOf, readCapabilityText, readSmall } from '../small.ts'

const query = '{ kind: query, entity: Note, parameters: [{ name: q, value_ref: text }] }'
const path = 'path: [{ type: literal, value: notes }]'
const paged = (pagination: string, rest = '') =>
  requestOf(readCapabilityText(query, `{ method: GET, ${path}, ${rest} pagination: ${pagination} }`))?.paging

const step = (pagination: string) => paged(pagination)?.parameters[0]

describe('request templates', () => {
  it('read every kind of expression', () => {
    const read = readCapabilityText(
      query,
      `
  method: POST
  ${path}
  headers: { type: object, fields: [[X-Version, { type: const, value: 2 }]] }
  body:
    type: object
    fields:
      - - words
        - { type: if, condition: { type: exists, var: q }, then_expr: { type: var, name: q }, else_expr: { type: const, value: null } }
      - - tags
        - { type: join, sep: ",", expr: { type: array, elements: [{ type: const, value: a }, { type: const, value: b }] } }
      - - name
        - { type: format, template: "note-{n}", vars: { n: { type: const, value: 1 } } }
      - - open
        - type: if
          condition: { type: equals, left: { type: const, value: 1 }, right: { type: const, value: 1 } }
          then_expr: { type: const, value: { deep: [1, null] } }
          else_expr: { type: const, value: false }
  body_format: form_urlencoded`,
    )
    expect(read.unsupported).toEqual([])
    expect(requestOf(read)).toEqual({
      method: 'POST',
      path: [{ type: 'literal', value: 'notes' }],
      headers: { type: 'object', fields: [['X-Version', { type: 'const', value: 2 }]] },
      body: {
        type: 'object',
        fields: [
          [
            'words',
            {
              type: 'if',
              condition: { type: 'exists', var: 'q' },
              // oxlint-disable-next-line unicorn/no-thenable -- data, as the model has it
              then: { type: 'var', name: 'q' },
              else: { type: 'const', value: null },
            },
          ],
          [
            'tags',
            {
              type: 'join',
              separator: ',',
              items: {
                type: 'array',
                elements: [
                  { type: 'const', value: 'a' },
                  { type: 'const', value: 'b' },
                ],
              },
            },
          ],
          ['name', { type: 'format', template: 'note-{n}', vars: [['n', { type: 'const', value: 1 }]] }],
          [
            'open',
            {
              type: 'if',
              condition: {
                type: 'equals',
                left: { type: 'const', value: 1 },
                right: { type: 'const', value: 1 },
              },
              // oxlint-disable-next-line unicorn/no-thenable -- data, as the model has it
              then: { type: 'const', value: { deep: [1, null] } },
              else: { type: 'const', value: false },
            },
          ],
        ],
      },
      bodyFormat: 'form',
      response: { single: false, scalar: false },
    })
  })

  it('report expressions that are none', () => {
    const { errors } = readSmall({
      capabilities: `  it: ${query}`,
      mappings: `it:
  method: GET
  path: [{ type: literal }, notes]
  query: { type: object, fields: [[a, { type: vra, name: q }], [b]] }
  body: { type: format, template: "{a}", vars: { b: { type: const, value: 1 } } }`,
    })
    expect(briefly(errors)).toEqual([
      'missing_key mappings.yaml:4',
      'wrong_shape mappings.yaml:4',
      'not_one_of mappings.yaml:5 var',
      'wrong_shape mappings.yaml:5',
      'unknown_name mappings.yaml:6 b',
      'format_variable_unused mappings.yaml:6',
    ])
  })

  it('declare the origins of absolute URLs', () => {
    const reading = readSmall({
      capabilities: `  it: ${query}`,
      mappings:
        'it: { method: GET, path: [{ type: literal, value: v1 }, { type: literal, value: "https://find.example/notes" }] }',
    })
    expect(modelOf(reading).otherOrigins).toEqual(['https://find.example'])
    expect(requestOf(modelOf(reading).capabilities[1])?.path).toEqual([
      { type: 'literal', value: 'https://find.example/notes' },
    ])
  })

  it.each([
    ['{ type: var, name: id }', { suffix: '', encode: 'segment' }],
    ['{ type: var, name: id, suffix: .json }', { suffix: '.json', encode: 'segment' }],
    ['{ type: var, name: path }', { suffix: '', encode: 'slashes' }],
    ['{ type: var, name: path, encode: segment }', { suffix: '', encode: 'segment' }],
    ['{ type: var, name: id, encode: slashes }', { suffix: '', encode: 'slashes' }],
    ['{ type: var, name: path }, { type: literal, value: raw }', { suffix: '', encode: 'segment' }],
  ])('encode the path variable %s', (segment, wanted) => {
    const row = '{ kind: get, entity: Note, parameters: [{ name: path, value_ref: text, required: true }] }'
    expect(requestOf(readCapabilityText(row, `{ method: GET, path: [${segment}] }`))?.path[0]).toMatchObject(
      wanted,
    )
  })

  it.each([
    ['single', { single: true }],
    ['items_list', { path: ['items'] }],
    ['bare_list', {}],
    ['results_list', {}],
    ['{ items: rows }', { path: ['rows'] }],
    ['{ items_path: [data, "0", rows] }', { path: ['data', 0, 'rows'] }],
    [
      '{ items: hits, beside: [summary, meta.day] }',
      { path: ['hits'], beside: [['summary'], ['meta', 'day']] },
    ],
    ['{ items_path: data.rows, item_inner_key: node }', { path: ['data', 'rows'], innerKey: 'node' }],
    ['{ items: note, single: true }', { path: ['note'], single: true }],
    ['{ wrap_root_scalar: true }', { scalar: true }],
  ])('find rows by %s', (response, wanted) => {
    const read = readCapabilityText(query, `{ method: GET, ${path}, response: ${response} }`)
    expect(requestOf(read)?.response).toEqual({ single: false, scalar: false, ...wanted })
  })

  it.each([
    [
      '{ kind: array_find_pluck, path: teams, id_field: id, id_var: team, nested_array: members }',
      { kind: 'pluck', path: ['teams'], field: 'id', variable: 'team', inner: 'members' },
    ],
    [
      '{ kind: concat_field_arrays, path: [data, "0"], from_each: parts }',
      { kind: 'concat', path: ['data', 0], inner: 'parts' },
    ],
    [
      '{ kind: string_ids_to_field_objects, path: [ids], field: id }',
      { kind: 'wrap', path: ['ids'], field: 'id' },
    ],
  ])('make rows by %s', (preprocess, reshape) => {
    const read = readCapabilityText(
      query,
      `{ method: GET, ${path}, response: { response_preprocess: ${preprocess} } }`,
    )
    expect(requestOf(read)?.response).toEqual({ single: false, scalar: false, reshape })
  })

  const GET = '{ kind: get, entity: Note }'
  const second = (text: string) => `{ method: GET, ${path}, response: { auxiliary_merge: ${text} } }`

  it('complete an answer by a second one, on an origin that is declared by it', () => {
    const away = 'path: [{ type: literal, value: "https://other.example/x" }, { type: var, name: id }]'
    const reading = readSmall({
      capabilities: `  it: ${GET}`,
      mappings: `it: ${second(`{ method: GET, ${away}, from_path: [a, "1"], into_key: b }`)}`,
    })
    const catalog = modelOf(reading)
    expect(catalog.otherOrigins).toEqual(['https://other.example'])
    expect(requestOf(catalog.capabilities.find(({ name }) => name === 'it'))?.response.auxiliary).toEqual({
      request: {
        method: 'GET',
        path: [
          { type: 'literal', value: 'https://other.example/x' },
          { type: 'var', name: 'id', suffix: '', encode: 'segment' },
        ],
        bodyFormat: 'json',
      },
      from: ['a', 1],
      into: 'b',
    })
  })

  it.each([
    ['a second request that writes', second(`{ method: POST, ${path}, into_key: a }`), 'second_request_writes mappings.yaml:2'],
    ['a second request without a place', second(`{ method: GET, ${path} }`), 'missing_key mappings.yaml:2'],
    ['a second request without a path', second('{ method: GET, into_key: a }'), 'missing_key mappings.yaml:2'],
    ['rows of a kind that is none', `{ method: GET, ${path}, response: { response_preprocess: { kind: pluck } } }`, 'not_one_of mappings.yaml:2'],
    ['rows without a path', `{ method: GET, ${path}, response: { response_preprocess: { kind: concat_field_arrays, from_each: a } } }`, 'missing_key mappings.yaml:2'],
    ['rows without a variable', `{ method: GET, ${path}, response: { response_preprocess: { kind: array_find_pluck, path: [a], id_field: id, nested_array: b } } }`, 'missing_key mappings.yaml:2'],
  ])('name %s', (_, template, problem) => {
    const { errors } = readSmall({ capabilities: `  it: ${GET}`, mappings: `it: ${template}` })
    expect(briefly(errors)).toEqual([problem])
  }) // prettier-ignore

  it('mark GraphQL', () => {
    expect(readCapabilityText(query, `{ transport: graphql, method: POST, ${path} }`).call?.kind).toBe(
      'graphql',
    )
  })

  it.each([
    ['{ transport: evm_call, chain: 1, contract: { type: const, value: x }, function: f }', ['evm']],
    [`{ method: POST, ${path}, body_format: multipart, multipart: { parts: [] } }`, ['multipart']],
    [
      `{ method: GET, ${path}, response: { auxiliary_merge: { method: GET, ${path}, into_key: a } } }`,
      ['auxiliary_merge'],
    ],
    [`{ method: GET, ${path}, pagination: { location: block_range, params: {} } }`, ['paging_block_range']],
    [
      `{ method: GET, ${path}, query: { type: object, fields: [[a, { type: var, name: lost }]] } }`,
      ['unbound_variable'],
    ],
    [`{ method: GET, path: [{ type: var, name: share_token }] }`, ['session_variable']],
    [`{ method: GET, path: [{ type: var, name: plasm_execute_session_id }] }`, []],
  ])('that need what we lack load: %s', (template, wanted) => {
    expect(readCapabilityText(query, template).unsupported).toEqual(wanted)
  })

  it('in short leave out what is not given, and read the elements of a list', () => {
    const names = '{ name: note, value_ref: text }, { name: tags, value_ref: text }'
    const row = `{ kind: create, entity: Note, parameters: [${names}] }`
    const note = '[note, { type: var, name: note, optional: true }]'
    const each = '{ type: object, fields: [[text, { type: var, name: tag }]] }'
    const tags = `[tags, { type: map, expr: { type: var, name: tags, optional: true }, item: tag, each: ${each} }]`
    const template = `{ method: POST, path: [{ type: literal, value: notes }], body: { type: object, fields: [${note}, ${tags}] } }`
    const reading = readSmall({ capabilities: `  it: ${row}`, mappings: `it: ${template}` })
    expect(reading.warnings).toEqual([])
    const given = (name: string) => ({
      type: 'if',
      condition: { type: 'exists', var: name },
      // oxlint-disable-next-line unicorn/no-thenable -- data
      then: { type: 'var', name },
      else: { type: 'const', value: null },
    })
    const made = modelOf(reading).capabilities.find(({ name }) => name === 'it')
    expect(made?.unsupported).toEqual([])
    expect(requestOf(made)?.body).toMatchObject({
      fields: [
        ['note', given('note')],
        ['tags', { type: 'map', items: given('tags'), item: 'tag' }],
      ],
    })
  })

  it('turn undeclared path variables into parameters', () => {
    const row = '{ kind: create, entity: Note, parameters: [{ name: title, value_ref: text }] }'
    const template =
      '{ method: POST, path: [{ type: var, name: folder_id }], body: { type: var, name: input } }'
    const { parameters, unsupported } = readCapabilityText(row, template)
    expect(unsupported).toEqual([])
    expect(parameters.map(({ name, required, role }) => ({ name, required, role }))).toEqual([
      { name: 'folder_id', required: true, role: 'scope' },
      { name: 'title', required: false, role: 'plain' },
    ])
  })
})

describe('paging', () => {
  it('counts pages by one', () => {
    expect(paged('{ params: { page: { counter: 1 }, per_page: { fixed: 20 } } }')).toEqual({
      location: 'query',
      parameters: [
        { name: 'page', kind: 'counter', start: 1, step: 1 },
        { name: 'per_page', kind: 'fixed', value: 20, isPageSize: true },
      ],
      bodyPath: [],
      responsePath: [],
      pageSize: 20,
    })
  })

  it.each(['offset', 'skip', 'startAt', 'start', 'from'])('counts rows where it is named %s', (name) => {
    expect(step(`{ params: { ${name}: { counter: 0 }, limit: { fixed: 50 } } }`)).toMatchObject({ step: 50 })
    expect(step(`{ params: { ${name}: { counter: 0, step: 7 }, limit: { fixed: 50 } } }`)).toMatchObject({
      step: 7,
    })
  })

  it('knows the page size only where it is said', () => {
    const constant = 'query: { type: object, fields: [[limit, { type: const, value: 30 }]] },'
    expect(paged('{ params: { offset: { counter: 0 } } }', constant)).toMatchObject({
      pageSize: 30,
      parameters: [{ step: 30 }],
    })
    expect(paged('{ params: { pageSize: { fixed: 100 } } }')?.pageSize).toBe(100)
    expect(paged('{ params: { page: { counter: 1 } } }')).not.toHaveProperty('pageSize')
  })

  it('warns of offsets without page size', () => {
    const { warnings } = readSmall({
      capabilities: `  it: { kind: query, entity: Note }`,
      mappings: `it: { method: GET, ${path}, pagination: { params: { offset: { counter: 0 } } } }`,
    })
    expect(briefly(warnings)).toEqual(['step_unknown domain.yaml:14'])
  })

  it('reads cursors in bodies', () => {
    const pagination = `
    location: body
    body_merge_path: [variables, page]
    response_prefix: [data, "0", pageInfo]
    stop_when: { field: hasNextPage, eq: false }
    params: { after: { from_response: endCursor }, first: { fixed: 50 } }`
    expect(
      requestOf(readCapabilityText(query, `\n  method: POST\n  ${path}\n  pagination:${pagination}`))?.paging,
    ).toEqual({
      location: 'body',
      parameters: [
        { name: 'after', kind: 'cursor', field: 'endCursor' },
        { name: 'first', kind: 'fixed', value: 50, isPageSize: true },
      ],
      bodyPath: ['variables', 'page'],
      responsePath: ['data', 0, 'pageInfo'],
      stop: { field: 'hasNextPage', equals: false },
      pageSize: 50,
    })
  })

  it('reads cursors of the last row', () => {
    expect(paged('{ params: { after: { from_last_row: id } } }')).toMatchObject({
      parameters: [{ name: 'after', kind: 'cursor', field: 'id', ofRow: true }],
    })
  })

  it('reads links and next URLs', () => {
    expect(paged('{ location: link_header }')).toMatchObject({ location: 'link_header', parameters: [] })
    expect(paged('{ location: response_next_url, response_next_url_field: "@next" }')).toMatchObject({
      location: 'next_url',
      nextUrlField: '@next',
    })
  })
})
