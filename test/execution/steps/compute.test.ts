import { expect, test } from 'vitest'
import type { Json } from '../../../src/base/canonical.ts'
import { pin } from '../../../src/catalog/digest.ts'
import type { AggregateColumn, Operand, Operation } from '../../../src/language/plan/plan.ts'
import { fed, run, valuesOf } from '../plans.ts'

const pinned = pin({
  id: 'none',
  version: 1,
  origin: 'http://127.0.0.1:1',
  otherOrigins: [],
  aliases: [],
  entities: [],
  capabilities: [],
  auth: { scheme: 'none' },
  unsupported: [],
})

const rows = (value: Json) =>
  ({ id: 'rows', operation: { kind: 'data', value: { kind: 'literal', value } } }) as const

/** What one operation makes of literal rows. */
async function over(value: Json, operation: Operation) {
  const outcome = await run(pinned, [rows(value), { id: 'out', operation }])
  return {
    rows: valuesOf(outcome.results[0]),
    columns: outcome.results[0]?.columns,
    problems: outcome.problems.map(({ message }) => message),
  }
}

const sort = (
  path: string,
  descending = false,
  type?: Extract<Operation, { kind: 'sort' }>['type'],
): Operation => ({
  kind: 'sort',
  source: 'rows',
  path: [path],
  descending,
  ...(type && { type }),
})

test('sorts numbers by size, stably, nothing last', async () => {
  const value = [
    { n: 10, k: 'a' },
    { n: null, k: 'b' },
    { n: 9, k: 'c' },
    { n: 10, k: 'd' },
    { k: 'e' },
    { n: '9007199254740993', k: 'f' },
  ]
  const keys = async (descending: boolean) =>
    (await over(value, sort('n', descending))).rows.map((row) => JSON.stringify(row).at(-3)).join('')
  expect(await keys(false)).toBe('cadfbe')
  expect(await keys(true)).toBe('fadcbe')
})

test('the least and the greatest of text of numbers are those by number', async () => {
  const type = { kind: 'string', semantics: 'short' } as const
  const columns = (['min', 'max'] as const).map((name) => ({ name, function: name, path: ['s'], type }))
  const of = async (values: readonly string[]) =>
    (
      await over(
        values.map((s) => ({ s })),
        { kind: 'aggregate', source: 'rows', columns },
      )
    ).rows
  expect(await of(['9', '10', '2'])).toEqual([{ min: '2', max: '10' }])
  expect(await of(['9', '10', 'x'])).toEqual([{ min: '10', max: 'x' }])
})

test('sorts dates by moment, text of numbers by number, and other text by letters', async () => {
  const dates = [
    { d: '2026-01-01T01:00:00+02:00' },
    { d: '2026-01-01T00:30:00Z' },
    { d: '2025-12-31T22:00:00Z' },
  ]
  expect((await over(dates, sort('d', false, { kind: 'date', format: 'rfc3339' }))).rows).toEqual([
    dates[2],
    dates[0],
    dates[1],
  ])
  const byText = async (...texts: readonly string[]) =>
    (
      await over(
        texts.map((s) => ({ s })),
        sort('s', false, { kind: 'string', semantics: 'short' }),
      )
    ).rows
  expect(await byText('10', '9')).toEqual([{ s: '9' }, { s: '10' }])
  expect(await byText('b', '9', '10')).toEqual([{ s: '10' }, { s: '9' }, { s: 'b' }])
})

const aggregate = (columns: readonly AggregateColumn[], by?: string): Operation => ({
  kind: 'aggregate',
  source: 'rows',
  columns,
  ...(by !== undefined && { by: [{ name: by, path: [by] }] }),
})
const all: readonly AggregateColumn[] = [
  { name: 'n', function: 'count' },
  { name: 'known', function: 'count', path: ['v'] },
  { name: 'sum', function: 'sum', path: ['v'] },
  { name: 'avg', function: 'avg', path: ['v'] },
  { name: 'min', function: 'min', path: ['v'] },
  { name: 'max', function: 'max', path: ['v'] },
]

test.each([
  ['numbers', [{ v: 2 }, { v: 3.5 }, { v: null }], { n: 3, known: 2, sum: 5.5, avg: 2.75, min: 2, max: 3.5 }],
  ['nothing', [], { n: 0, known: 0, sum: 0, avg: null, min: null, max: null }],
  [
    'big integers',
    [{ v: '9007199254740993' }, { v: 2 }],
    { n: 2, known: 2, sum: '9007199254740995', avg: 4503599627370498, min: 2, max: '9007199254740993' },
  ],
  ['decimals', [{ v: 0.1 }, { v: 0.2 }], { n: 2, known: 2, sum: 0.3, avg: 0.15, min: 0.1, max: 0.2 }],
  [
    'debts',
    [{ v: '-0.05' }, { v: -0.2 }],
    { n: 2, known: 2, sum: -0.25, avg: -0.125, min: -0.2, max: '-0.05' },
  ],
  ['exponents', [{ v: 1e-7 }, { v: 1e21 }], { n: 2, known: 2, sum: 1e21, avg: 5e20, min: 1e-7, max: 1e21 }],
  [
    'long decimals in text',
    [{ v: '90071992547409930.10' }, { v: '0.20' }],
    {
      n: 2,
      known: 2,
      sum: '90071992547409930.3',
      avg: 45035996273704970,
      min: '0.20',
      max: '90071992547409930.10',
    },
  ],
])('aggregates %s', async (_, value, expected) => {
  expect((await over(value, aggregate(all))).rows).toEqual([expected])
})

test('takes the earliest and latest of dates', async () => {
  const type = { kind: 'date', format: 'iso8601_date' } as const
  const columns: readonly AggregateColumn[] = [
    { name: 'first', function: 'min', path: ['d'], type },
    { name: 'last', function: 'max', path: ['d'], type },
  ]
  expect((await over([{ d: '2026-03-01' }, { d: '2025-11-30' }], aggregate(columns))).rows).toEqual([
    { first: '2025-11-30', last: '2026-03-01' },
  ])
})

test('groups by a value, under the name of its field', async () => {
  const value = [
    { owner: 'b', v: 1 },
    { owner: 'a', v: 2 },
    { owner: null, v: 3 },
    { owner: 'b', v: 4 },
  ]
  expect(await over(value, aggregate([{ name: 'sum', function: 'sum', path: ['v'] }], 'owner'))).toEqual({
    columns: ['owner', 'sum'],
    rows: [
      { owner: 'a', sum: 2 },
      { owner: 'b', sum: 5 },
      { owner: null, sum: 3 },
    ],
    problems: [],
  })
})

const render = (template: string, columns: readonly string[] = ['title']): Operation => ({
  kind: 'render',
  source: 'rows',
  columns,
  template,
})

test('renders a template over the rows', async () => {
  const template =
    '{% for r in rows %}- {{ r.title }} ({{ r.author.login }}){% if not loop.last %}\n{% endif %}{% endfor %}'
  const value = [{ title: '<a>', 'author.login': 'x' }, { title: 'b' }]
  expect((await over(value, render(template, ['title', 'author.login']))).rows).toEqual([
    { content: '- <a> (x)\n- b (none)' },
  ])
})

test.each([
  ['{{ rows[0].nothing }}', 'Cannot render the template: undefined value (line 1).'],
  [
    '{% for r in rows %}',
    'Cannot render the template: syntax error: unexpected end of input, expected end of block (line 1).',
  ],
  [
    '{% for a in range(9999) %}{% for b in range(9999) %}x{% endfor %}{% endfor %}',
    'Cannot render the template: engine ran out of fuel (line 1).',
  ],
  [
    '{% set first = rows[0].title or "none" %}{{ first }}{% for r in rows %}{% set t = r.title | upper %}{{ t }}{% endfor %}',
    undefined,
  ],
  [
    '{% set x = rows[0].title ~ rows[0].title %}{{ x }}',
    'The template uses `{% set %}` of a value that is put together, which is not supported.',
  ],
  [
    '{% set x %}a{% endset %}',
    'The template uses `{% set %}` of a value that is put together, which is not supported.',
  ],
  ['{% set ns = namespace(n=0) %}', 'The template uses `namespace()`, which is not supported.'],
  ['{% set all = rows %}', 'The template uses all `rows` as one value, which is not supported.'],
  ['{%- include "x" %}', 'The template uses `{% include %}`, which is not supported.'],
  ['{{ "x" * 1000000000 }}', 'The template uses `*`, which is not supported.'],
  ['{{ rows[0].title | replace("", "x") | replace("", rows[0].title) }}', undefined],
  ['{# {{ " #}{{ "x" * 9 }}', 'The template uses `*`, which is not supported.'],
  ['{{ rows[0:2] }}', 'The template uses all `rows` as one value, which is not supported.'],
  ["{% for r in rows | sort(attribute='title') %}{{ r.title | upper }} {% endfor %}", undefined],
  [
    '{{'.repeat(900),
    'Cannot render the template: syntax error: template exceeds maximum recursion limits (line 1).',
  ],
  ['{{'.repeat(30000), 'Characters between two braces of a template: 59998, at most 2000.'],
  [
    `{{ ${'not '.repeat(10000)}rows[0].title }}`,
    'Characters between two braces of a template: 40015, at most 2000.',
  ],
  [
    `{% if 1 == 2 %}${'{% elif 1 == 2 %}'.repeat(3000)}{% endif %}`,
    '`elif` of a template: 3000, at most 200.',
  ],
  [
    `{{ rows[0].title${' ~ rows[0].title'.repeat(65)} }}`,
    '`~` and `+` between two braces of a template: 65, at most 64.',
  ],
  ['{{ [rows[0].title] | string }}', 'The template uses a list or map of values, which is not supported.'],
  [
    '{{ {"a": rows[0].title} | string }}',
    'The template uses a list or map of values, which is not supported.',
  ],
  [
    '{% for a in [rows[0].title] %}{{ a }}{% endfor %}',
    'The template uses a list or map of values, which is not supported.',
  ],
  ['{{ dict(a=rows[0].title) | string }}', 'The template uses `dict()`, which is not supported.'],
  ['{{ debug() }}', 'The template uses `debug()`, which is not supported.'],
  [
    '{% for r in rows recursive %}{{ loop(r.title) }}{% endfor %}',
    'The template uses `loop()`, which is not supported.',
  ],
  ['{% if rows[0].title in ["a", "b", none, true] %}x{% endif %}{{ {"a": "A"}["a"] }}', undefined],
  [
    '{% for r in rows %}{{ loop.cycle("a", "b") }}{% if r.title is startingwith("a") %}x{% endif %}{% endfor %}',
    undefined,
  ],
  ['{{ rows }}', 'The template uses all `rows` as one value, which is not supported.'],
  [
    '{{ rows | length }} {% for r in rows %}{{ r.title | replace("a", "b") }}{{ 3 | times(4) }}{% endfor %}',
    undefined,
  ],
  ['x'.repeat(65 * 1024), 'The template in bytes: 66560, at most 65536.'],
])('refuses the template %.40s', async (template, message) => {
  const found = await over([{ title: 'a * b {% set %}' }], render(template))
  expect(found.problems).toEqual(message === undefined ? [] : [message])
})

test('a filter cannot blow text up', async () => {
  const template = `{{ rows[0].title${' | replace("a", "aaaaaaaaaaaaaaaa")'.repeat(8)} }}`
  expect((await over([{ title: 'a' }], render(template))).problems).toEqual([
    'Cannot render the template: a filter gives more than 1048576 characters.',
  ])
})

const DOUBLING = 'Cannot render the template: a filter gives more than 1048576 characters.'

test.each([
  ['tojson', ' | tojson', 40],
  ['pprint', ' | pprint', 40],
  ['lists of letters', ' | list | string', 20],
  ['lines', ' | lines | string | replace("x", "x\\n")', 40],
  ['parts', ' | split("x") | string | replace(",", "x,x")', 40],
])('text that is quoted in text is bounded: %s', async (_, filter, times) => {
  const template = `{{ rows[0].title${filter.repeat(times)} | length }}`
  expect((await over([{ title: 'x"x' }], render(template))).problems).toEqual([DOUBLING])
})

test.each([
  ['{{ rows[0].title | batch(2000000000, "x") | length }}', DOUBLING],
  ['{{ rows[0].title | list | slice(2000000000) | length }}', DOUBLING],
])('lists that are filled up are bounded: %s', async (template, problem) => {
  expect((await over([{ title: 'x' }], render(template))).problems).toEqual([problem])
})

test('filters of ours give what the engine gave', async () => {
  const template = [
    '{{ r.text | tojson }} {{ r.list | tojson }} {{ r.map | tojson }}',
    '{{ r.text | list | length }} {{ r.map | list }} {{ "a\\r\\nb" | lines }}',
    '{{ "a b  c" | split }} {{ "a,b,c" | split(",") }} {{ "a,b,c" | split(",", 1) }}',
    '{{ r.list | batch(2) }} {{ r.list | batch(2, "f") }} {{ r.list | slice(2) }} {{ r.list | slice(2, "f") }}',
  ].join('|')
  const text = `{% for r in rows %}${template}{% endfor %}`
  const row = { text: `<a & 'b'>`, list: [1, 2, 3], map: { k: 'v' } }
  expect((await over([row], render(text, ['text', 'list', 'map']))).rows).toEqual([
    {
      content: [
        '"\\u003ca \\u0026 \\u0027b\\u0027\\u003e" [1,2,3] {"k":"v"}',
        '9 ["k"] ["a", "b"]',
        '["a", "b", "c"] ["a", "b", "c"] ["a", "b,c"]',
        '[[1, 2], [3]] [[1, 2], [3, "f"]] [[1, 2], [3]] [[1, 2], [3, "f"]]',
      ].join('|'),
    },
  ])
})

test('a singleton proves that there is exactly one', async () => {
  const single: Operation = { kind: 'singleton', source: 'rows' }
  expect((await over([{ a: 1 }], single)).rows).toEqual([{ a: 1 }])
  expect((await over([], single)).problems).toEqual([
    '`.singleton()` needs exactly one row, but `data` has none.',
  ])
  expect((await over([{ a: 1 }, { a: 2 }], single)).problems).toEqual([
    '`.singleton()` needs exactly one row, but `data` has 2 or more.',
  ])
})

const hole = (path: readonly string[]): Operation => ({ kind: 'data', value: fed('x', 'rows', path).operand })

test.each([
  [[], ['a'], '`rows.a` needs one row, but `data` has none.'],
  [[{ a: 1 }, { a: 2 }], ['a'], '`rows.a` needs one row, but `data` has 2 or more.'],
  [[{ a: 1, b: 2 }], ['c'], '`rows.c`: the row has no value at `c`; its columns: `a` and `b`.'],
  [[{ a: 1, b: 2 }], [], '`rows`: the row has no id.'],
  [[{ a: 1 }], ['__proto__'], '`rows.__proto__`: the row has no value at `__proto__`; its columns: `a`.'],
])('a hole says what it lacks', async (value, path, message) => {
  expect((await over(value, hole(path))).problems).toEqual([message])
})

test('text, lists and records are put together', async () => {
  const a: Operand = fed('x', 'rows', ['a']).operand
  const value: Operand = {
    kind: 'record',
    entries: [
      ['text', { kind: 'text', parts: ['n=', a, ''] }],
      ['list', { kind: 'list', items: [a, { kind: 'literal', value: null }] }],
    ],
  }
  expect((await over([{ a: 7 }], { kind: 'data', value })).rows).toEqual([{ text: 'n=7', list: [7, null] }])
})

test('an each over rows maps them', async () => {
  const body = {
    kind: 'data',
    value: { kind: 'record', entries: [['twice', { kind: 'cursor', path: ['a'], text: '_.a' }]] },
  } as const
  expect((await over([{ a: 1 }, { a: 2 }], { kind: 'each', source: 'rows', body })).rows).toEqual([
    { twice: 1 },
    { twice: 2 },
  ])
})

test('what needs a failed input does not run', async () => {
  const outcome = await run(pinned, [
    rows([]),
    { id: 'one', operation: { kind: 'singleton', source: 'rows' } },
    { id: 'sorted', operation: { kind: 'sort', source: 'one', path: ['a'], descending: false } },
  ])
  expect(outcome.results).toEqual([{ label: 'sorted', columns: [], rows: [], partial: 'failed' }])
  expect(outcome.problems.map(({ code, message }) => [code, message])).toEqual([
    ['not_single', '`.singleton()` needs exactly one row, but `data` has none. Not run: `sorted`.'],
  ])
})
