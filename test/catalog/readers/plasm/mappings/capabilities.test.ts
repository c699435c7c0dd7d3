import { describe, expect, it } from 'vitest'
import { labelsOf } from '../../../../../src/catalog/readers/plasm/domain/names.ts'
import { briefly, modelOf, readCapabilityText, readSmall } from '../small.ts'

const get = '{ method: GET, path: [{ type: var, name: id }] }'
const post = '{ method: POST, path: [{ type: var, name: id }] }'

describe('labels', () => {
  it('drop the name of the entity', () => {
    const ids = ['issuecomment_get', 'issue_comment_create', 'pin_all', 'issue_comment_']
    expect([...labelsOf('IssueComment', ids).values()]).toEqual([
      'get',
      'create',
      'pin-all',
      'issue-comment-',
    ])
  })

  it('keep the longer spelling where they clash', () => {
    expect([...labelsOf('Order', ['order_close', 'close', 'order_open']).values()]).toEqual([
      'order-close',
      'close',
      'open',
    ])
    expect([...labelsOf('A', ['x_y', 'x-y']).values()]).toEqual(['x_y', 'x-y'])
  })
})

describe('capabilities', () => {
  it.each([
    ['{ kind: get, entity: Note }', get, 'read'],
    ['{ kind: singleton, entity: Note }', get, 'read'],
    ['{ kind: search, entity: Note }', '{ method: POST, path: [] }', 'read'],
    ['{ kind: action, entity: Note, provides: [id] }', get, 'read'],
    ['{ kind: action, entity: Note, provides: [id] }', post, 'write'],
    ['{ kind: action, entity: Note, output: { type: side_effect, description: Rings } }', get, 'side_effect'],
    ['{ kind: create, entity: Note }', '{ method: POST, path: [] }', 'write'],
    ['{ kind: delete, entity: Note }', post, 'side_effect'],
    ['{ kind: action, entity: Note, effect: read, provides: [id] }', post, 'read'],
    [
      '{ kind: action, entity: Note, effect: read, output: { type: side_effect, description: Rings } }',
      get,
      'read',
    ],
    ['{ kind: delete, entity: Note, provides: [id] }', post, 'write'],
  ])('%s has its effect', (row, template, effect) => {
    expect(readCapabilityText(row, template).effect).toBe(effect)
  })

  it('merge parameters with an input schema', () => {
    const row = `
    kind: create
    entity: Note
    parameters: [{ name: folder, value_ref: text, role: scope, required: true }]
    input_schema:
      input_type:
        type: object
        additional_fields: true
        fields:
          - { name: title, value_ref: text, description: What it is called, wire_json_path: [head, title] }
          - name: steps
            input_type:
              type: array
              element_type:
                type: union
                variants:
                  - name: add
                    constructor_symbol: v7
                    wire: { field: op, value: add_block }
                    fields: [{ name: blocks, value_ref: text, wire_array_element_key: text }]`
    const { parameters, openInput } = readCapabilityText(
      row,
      '{ method: POST, path: [{ type: var, name: folder }], body: { type: var, name: input } }',
    )
    const text = { kind: 'string', semantics: 'short' }
    expect(openInput).toBe(true)
    expect(parameters).toEqual([
      { name: 'folder', type: text, value: 'text', required: true, role: 'scope' },
      {
        name: 'title',
        type: text,
        value: 'text',
        description: 'What it is called',
        required: false,
        role: 'plain',
        wirePath: ['head', 'title'],
      },
      {
        name: 'steps',
        required: false,
        role: 'plain',
        type: {
          kind: 'array',
          items: {
            kind: 'union',
            variants: [
              {
                name: 'add',
                constructorSymbol: 'v7',
                tag: { field: 'op', value: 'add_block' },
                fields: [
                  {
                    name: 'blocks',
                    type: text,
                    value: 'text',
                    required: false,
                    role: 'plain',
                    wireElementKey: 'text',
                  },
                ],
              },
            ],
          },
        },
      },
    ])
  })

  it('take a whole union as `input`', () => {
    const variants = '[{ name: a, wire: { field: t, value: a }, fields: [] }]'
    const row = `{ kind: action, entity: Note, provides: [id], input_schema: { input_type: { type: union, variants: ${variants} } } }`
    const { parameters } = readCapabilityText(
      row,
      '{ method: POST, path: [], body: { type: var, name: input } }',
    )
    expect(parameters).toMatchObject([{ name: 'input', required: true, type: { kind: 'union' } }])
  })

  it('take the whole body as `input` where nothing declares its parts', () => {
    const open = readCapabilityText(
      '{ kind: create, entity: Note }',
      '{ method: POST, path: [], body: { type: var, name: input } }',
    )
    const input = { name: 'input', type: { kind: 'json' }, required: false, role: 'plain' }
    expect([open.openInput, open.parameters]).toEqual([false, [input]])
  })

  it('refuse an input that is two things', () => {
    const { errors } = readSmall({
      capabilities: `  it:
    kind: create
    entity: Note
    parameters:
      - { name: a, value_ref: text, input_type: { type: none } }
      - { name: b }
      - { name: b, value_ref: text }
      - { name: input, value_ref: text }`,
      mappings: 'it: { method: POST, path: [], body: { type: var, name: input } }',
    })
    expect(briefly(errors)).toEqual([
      'either_or domain.yaml:18',
      'either_or domain.yaml:19',
      'duplicate_name domain.yaml:17',
      'input_is_parameter domain.yaml:17',
    ])
  })
})

const auth = (text: string) => {
  const { auth: read, capabilities } = modelOf(readSmall({ top: `auth: ${text}` }))
  return [read, capabilities[0]?.unsupported]
}

describe('auth', () => {
  it.each([
    ['{ scheme: none }', { scheme: 'none' }],
    [
      '{ scheme: api_key_header, header: X-Key, env: KEY }',
      { scheme: 'api_key', in: 'header', name: 'X-Key', secret: 'env:KEY' },
    ],
    [
      '{ scheme: api_key_query, param: key, env: KEY }',
      { scheme: 'api_key', in: 'query', name: 'key', secret: 'env:KEY' },
    ],
    [
      '{ scheme: bearer_token, env: TOKEN, hosted_kv: "plasm:outbound:x" }',
      { scheme: 'bearer', secret: 'env:TOKEN', optional: false },
    ],
    [
      '{ scheme: oauth_bearer, env: TOKEN, optional_env: true }',
      { scheme: 'bearer', secret: 'env:TOKEN', optional: true },
    ],
    [
      '{ scheme: oauth2_client_credentials, token_url: "https://t.example", client_id_env: A, client_secret_env: B, scopes: [s] }',
      {
        scheme: 'client_credentials',
        tokenUrl: 'https://t.example',
        clientId: 'env:A',
        clientSecret: 'env:B',
        scopes: ['s'],
      },
    ],
  ])('%s', (text, wanted) => {
    expect(auth(text)).toEqual([wanted, []])
  })

  it('with a secret that only another host holds runs nothing', () => {
    expect(auth('{ scheme: bearer_token, hosted_kv: "plasm:outbound:x" }')[1]).toEqual(['hosted_credentials'])
  })

  it('without a secret is an error', () => {
    expect(briefly(readSmall({ top: 'auth: { scheme: bearer_token }' }).errors)).toEqual([
      'secret_unnamed domain.yaml:2',
    ])
  })
})
