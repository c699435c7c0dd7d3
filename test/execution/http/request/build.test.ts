import { expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import type { Capability, ServedCatalog, Parameter } from '../../../../src/catalog/model.ts'
import type { Expression, HttpRequest } from '../../../../src/catalog/calls/http-request.ts'
import { buildCall } from '../../../../src/execution/http/request/build.ts'
import {
  capability,
  entity,
  field,
  integer,
  object,
  parameter,
  request,
  text,
  variable,
} from '../../tracker.ts'

const repository = entity('Repository', [field('owner'), field('repo')], { key: ['owner', 'repo'] })
const item = entity('Item', [field('id', integer), field('name')])

/** The call of one capability of `Item` with these arguments, or the messages of its problems. */
function call(
  template: HttpRequest,
  given: Readonly<Record<string, Json>>,
  more: Partial<Capability> & {
    readonly identity?: Readonly<Record<string, string>>
    readonly otherOrigins?: readonly string[]
  } = {},
) {
  const { identity, otherOrigins = [], ...rest } = more
  const names = Object.keys(given).map((name) => parameter(name))
  const one = capability('item_do', 'Item', 'action', template, { parameters: names, ...rest })
  const catalog: ServedCatalog = {
    id: 'shop',
    version: 1,
    origin: 'https://api.example/v1',
    otherOrigins,
    aliases: [],
    entities: [item, repository],
    capabilities: [one],
    auth: { scheme: 'none' },
    unsupported: [],
  }
  const invocation = {
    pinned: { catalog, digest: 'd' },
    capability: one,
    arguments: new Map(Object.entries(given)),
    ...(identity && { identity }),
  }
  const built = buildCall(invocation, template)
  return built.ok ? built.value : built.problems.map(({ message }) => message)
}

const format = (template: string, ...names: readonly string[]): Expression => ({
  type: 'format',
  template,
  vars: names.map((name) => [name, variable(name)]),
})

test('encodes path values as one segment', () => {
  expect(call(request('GET', '/items/{id}/x'), { id: 'a/b c?#é' })).toMatchObject({
    target: { path: '/items/a%2Fb%20c%3F%23%C3%A9/x' },
  })
})

test('keeps slashes only where the template takes them', () => {
  const path = [
    { type: 'literal', value: 'files' } as const,
    { type: 'var', name: 'path', suffix: '', encode: 'slashes' } as const,
  ]
  const template = { ...request('GET', '/'), path }
  expect(call(template, { path: 'src/a b.ts' })).toMatchObject({ target: { path: '/files/src/a%20b.ts' } })
  expect(call(template, { path: 'src/../secret' })).toEqual([
    '`shop.Item.item_do`: `path` is part of the address of the call and cannot be `src/../secret`.',
  ])
  expect(call(template, { path: 'src//a' })).toEqual([
    '`shop.Item.item_do`: `path` is part of the address of the call and cannot be `src//a`.',
  ])
})

test.each(['.', '..', '%2e%2e', '%2E.', '', '\uD800', '../../etc/passwd', 'a/../b', '..\\b', 'a%2F..'])(
  'refuses %j as a path value',
  (id) => {
    expect(call(request('GET', '/items/{id}/x'), { id })).toEqual([
      expect.stringContaining('`id` is part of the address of the call'),
    ])
  },
)

test('a suffix makes no dots', () => {
  const path = [
    { type: 'literal', value: 'items' } as const,
    { type: 'var', name: 'id', suffix: '.', encode: 'segment' } as const,
  ]
  expect(call({ ...request('GET', '/'), path }, { id: '.' })).toEqual([
    expect.stringContaining('is part of the address of the call'),
  ])
})

test('an absolute URL is what the template spells out', () => {
  const template = {
    ...request('GET', '/'),
    path: [{ type: 'literal', value: 'https://hn.example/api/search' } as const],
  }
  expect(call(template, {})).toMatchObject({
    target: { url: 'https://hn.example/api/search' },
  })
})

test('a query repeats lists and leaves nothing out', () => {
  const template = request('GET', '/items', { query: object('label', 'where', 'flag', 'page') })
  const given = { label: ['a', 'b'], where: { a: 1 }, flag: false, page: 0 }
  expect(call(template, given)).toMatchObject({
    query: [
      ['label', 'a'],
      ['label', 'b'],
      ['where', '{"a":1}'],
      ['flag', 'false'],
      ['page', '0'],
    ],
  })
})

test('null is sent in a JSON body, and refused where only text can be sent', () => {
  const json = request('POST', '/items', { body: object('state') })
  expect(call(json, { state: null })).toMatchObject({ body: { value: { state: null } } })
  const refused = (name: string) => [
    `\`shop.Item.item_do\`: \`${name}\` is null, and this part of the request cannot carry null.`,
  ]
  expect(call(request('GET', '/items', { query: object('state') }), { state: null })).toEqual(
    refused('state'),
  )
  const labels = request('GET', '/items', { query: object('label') })
  expect(call(labels, { label: ['a', null] })).toEqual(refused('label'))
  expect(call({ ...json, bodyFormat: 'form' }, { state: null })).toEqual(refused('state'))
})

test('a header value holds no line break', () => {
  const template = request('GET', '/items', { headers: object('X-Trace') })
  expect(call(template, { 'X-Trace': 'a\r\nCookie: b' })).toEqual([
    '`shop.Item.item_do`: the header `X-Trace` contains a line break or a control character.',
  ])
  expect(call(template, { 'X-Trace': ' ' })).toMatchObject({ headers: [] })
})

test('a value in a cookie sets no other cookie', () => {
  const cookie: Expression = {
    type: 'format',
    template: 'ck={value}',
    vars: [['value', { type: 'var', name: 'ck' }]],
    isCookie: true,
  }
  const template = request('GET', '/items', { headers: { type: 'object', fields: [['Cookie', cookie]] } })
  const parameters = [parameter('ck')]
  expect(call(template, { ck: 'a; session=b' }, { parameters })).toMatchObject({
    headers: [['Cookie', 'ck=a%3B%20session%3Db']],
  })
  expect(call(template, { ck: 'plain=1' }, { parameters })).toMatchObject({
    headers: [['Cookie', 'ck=plain=1']],
  })
})

test('names in templates that nothing binds are problems, optional ones null', () => {
  expect(
    call(request('POST', '/items', { body: object('a', 'b') }), {}, { parameters: [parameter('a')] }),
  ).toEqual(['`shop.Item.item_do`: the request template uses `b`, which has no value.'])
  expect(
    call(request('POST', '/items', { body: object('a') }), {}, { parameters: [parameter('a')] }),
  ).toMatchObject({ body: { value: {} } })
  expect(
    call(
      request('POST', '/items', { body: object('a') }),
      {},
      { parameters: [parameter('a', text, { required: true })] },
    ),
  ).toEqual(['`shop.Item.item_do`: the argument `a` has no value.'])
})

test('`filter` is a name like any other', () => {
  const guarded = JSON.parse(
    '{"type":"if","condition":{"type":"exists","var":"filter"},"then":{"type":"object","fields":[["filter",{"type":"var","name":"filter"}]]},"else":{"type":"object","fields":[]}}',
  )
  const template = request('GET', '/items', { query: guarded })
  expect(
    call(template, { state: 'open' }, { parameters: [parameter('state'), parameter('filter')] }),
  ).toMatchObject({ query: [] })
  expect(call(template, { filter: 'x' })).toMatchObject({ query: [['filter', 'x']] })
})

test('a formatted value is not expanded again', () => {
  const template = request('GET', '/items', {
    query: { type: 'object', fields: [['q', format('{a} in {b}', 'a', 'b')]] },
  })
  expect(call(template, { a: '{b}', b: 'x' })).toMatchObject({ query: [['q', '{b} in x']] })
})

test('a map makes one value of each element, and none of a list that is not given', () => {
  const each: Expression = { type: 'object', fields: [['name', format('{one} of {team}', 'one', 'team')]] }
  const body: Expression = { type: 'map', items: variable('labels'), item: 'one', each }
  const whole: Expression = { type: 'object', fields: [['labels', body]] }
  const template = { ...request('POST', '/items'), body: whole }
  const parameters = ['labels', 'team'].map((name) => parameter(name))
  const sent = (given: Readonly<Record<string, Json>>) => call(template, given, { parameters })
  expect(sent({ labels: ['a', '{team}'], team: 'x' })).toMatchObject({
    body: { value: { labels: [{ name: 'a of x' }, { name: '{team} of x' }] } },
  })
  expect(sent({ team: 'x' })).toMatchObject({ body: { value: {} } })
  expect(sent({ labels: 'a', team: 'x' })).toEqual([
    expect.stringContaining('what a map goes over is no list'),
  ])
})

test('`input` holds the arguments that go nowhere else', () => {
  const template = request('POST', '/items/{id}', { body: variable('input') })
  expect(call(template, { name: 'x', note: null }, { identity: { id: '7' } })).toMatchObject({
    target: { path: '/items/7' },
    body: { format: 'json', value: { name: 'x', note: null } },
  })
})

test('an argument cannot redirect a write to another row', () => {
  const template = request('POST', '/items/{id}', { body: object('id', 'name') })
  expect(call(template, { id: '8', name: 'x' }, { identity: { id: '7' } })).toMatchObject({
    target: { path: '/items/7' },
    body: { value: { id: 7, name: 'x' } },
  })
})

test('the only path variable takes a simple identity', () => {
  expect(call(request('GET', '/items/{slug}'), {}, { identity: { id: 'x' } })).toMatchObject({
    target: { path: '/items/x' },
  })
})

const scope: Parameter = parameter(
  'repository',
  { kind: 'reference', entity: 'Repository' },
  { role: 'scope', required: true },
)

test.each([
  ['an object', { owner: 'a', repo: 'b' }],
  ['text', 'a/b'],
  ['a row with a full name', { id: 1, full_name: 'a/b' }],
])('a compound scope given as %s fills its slots', (_, repository_) => {
  const template = request('GET', '/repos/{owner}/{repo}/items')
  const built = call(template, { repository: repository_ }, { parameters: [scope], omitAggregateScope: true })
  expect(built).toMatchObject({ target: { path: '/repos/a/b/items' } })
})

test('a row given for a simple reference is its id', () => {
  const template = request('POST', '/items', { body: variable('input') })
  const parameters = [parameter('parent', { kind: 'reference', entity: 'Item' })]
  expect(call(template, { parent: { id: 5, name: 'x' } }, { parameters })).toMatchObject({
    body: { value: { parent: 5 } },
  })
})

test('unions and nested places are lowered', () => {
  const block: Parameter = parameter('block', {
    kind: 'union',
    variants: [
      {
        name: 'text',
        tag: { field: 'type', value: 'paragraph' },
        fields: [
          parameter('content', text, { wirePath: ['paragraph', 'rich_text'], wireElementKey: 'text' }),
          parameter('color', text, { wirePath: ['paragraph', 'color'] }),
        ],
      },
    ],
  })
  const template = request('POST', '/items', { body: variable('input') })
  const built = call(
    template,
    { block: { type: 'paragraph', content: 'hi', color: 'red' } },
    { parameters: [block] },
  )
  expect(built).toMatchObject({
    body: {
      value: { block: { type: 'paragraph', paragraph: { rich_text: [{ text: 'hi' }], color: 'red' } } },
    },
  })
})

test('keys from outside reach no prototype', () => {
  const template = request('POST', '/items', { body: variable('input') })
  const built = call(template, JSON.parse('{"__proto__": {"polluted": true}, "a": {"__proto__": 1}}'))
  expect(JSON.stringify(built)).toContain('"__proto__":{"polluted":true}')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
})

test('a variable named after the entity is the key of the row, where the path has none', () => {
  const template = request('DELETE', '/drop', { query: object('item_id') })
  const more = { kind: 'delete', call: { kind: 'http', request: template }, identity: { id: '7' } } as const
  expect(call(template, {}, more)).toMatchObject({ target: { path: '/drop' }, query: [['item_id', '7']] })
  expect(call(template, { item_id: '9' }, more)).toMatchObject({ query: [['item_id', '9']] })
})
