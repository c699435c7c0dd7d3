import { expect, test } from 'vitest'
import type { Json } from '../../../src/base/canonical.ts'
import { renderViewTemplate } from '../../../src/execution/view/template.ts'

const values: { readonly [name: string]: Json } = {
  key: 'ENG-1', site: 'http://x//', list: [1, 2], row: { id: 3, 'a-b': 'c' }, text: 'q "x" é&/', no: false, yes: true,
  none: null, at: '2024-01-01T00:00:00Z',
} // prettier-ignore

test.each([
  ["{%- set k = key.split('-')[0] -%}\nhttps://x/{{ k }}/{{ key | split_part('-', 1) }}\n", 'https://x/ENG/1'],
  ['{{ site | strip_trailing_slash }}/browse/{{ key }}', 'http://x/browse/ENG-1'],
  ['{%- if no and not yes -%}a{%- elif yes and not (no) -%}b{%- else -%}c{%- endif -%}', 'b'],
  ['{{ list[1] }} {{ list | first }} {{ row.id }} {{ row["a-b"] }} {{ list | length }}', '2 1 3 c 2'],
  ['{% for one in list %}{{ one }},{% endfor %}', '1,2,'],
  ["{% if key in ['ENG-1', 'ENG-2'] %}{{ {'': 1}[''] }}{% endif %}", '1'],
  ['{{ text | urlencode }} {{ text | json_encode }} {{ row | json_encode }}', 'q+%22x%22+%C3%A9%26%2F "q \\"x\\" é&/" {"a-b":"c","id":3}'],
  ["{{ at | wire_time('unix_sec') }} {{ nowhere | default('d') }} {{ nowhere is defined }}", '1704067200 d false'],
  ["{{ key == 'ENG-1' }} {{ none }} {{ key ~ '!' }}", 'true none ENG-1!'],
])('%s', (template, text) => {
  expect(renderViewTemplate(template, values)).toEqual({ text })
}) // prettier-ignore

test.each([
  ['{{ nowhere }}', 'undefined value'],
  ['{{ env.HOME }}', 'undefined value'],
  ['{{ key', 'syntax error'],
  ['{{ [key, key] }}', 'a list or a map of values'],
  ['{% for x in [key, key] %}{{ x }}{% endfor %}', 'a list or a map of values'],
  [`{{ ${'not '.repeat(600)}key }}`, 'Characters between two braces of a template: 2405, at most 2000'],
  ['{% if no %}' + '{% elif no %}'.repeat(300) + '{% endif %}', '`elif` of a template: 300, at most 200'],
  ["{{ {'a': key} }}", 'a list or a map of values'],
  ['{{ debug() }}', 'a call'],
  ['{{ dict(a=key) | string }}', 'a call'],
  ['{% set x %}{{ key }}{{ key }}{% endset %}', '`{% set %}`'],
  ['{% set x = key ~ key %}{{ x }}', '`{% set %}`'],
  ["{% include 'other' %}", '`{% include %}`'],
  ['{{ key | tojson | tojson }}', 'the filter `tojson`'],
  ['{{ key * 1000 }}', '`*`'],
  [`{{ key${' ~ key'.repeat(17)} }}`, '`~` more than 16 times'],
  [`{{ text${' | json_encode'.repeat(60)} }}`, 'a filter gives more than 32768 characters'],
  ['{% for a in key | split("k") %}'.repeat(9) + 'x' + '{% endfor %}'.repeat(9), 'fuel'],
])('refuses %s', (template, reason) => {
  const long = { ...values, key: 'k'.repeat(30_000) }
  const result = renderViewTemplate(template, template.includes('split("k")') ? long : values)
  expect('reason' in result && result.reason).toContain(reason)
})

test('refuses values that are too long', () => {
  expect(renderViewTemplate('{{ a }}', { a: 'x'.repeat(40_000) })).toEqual({
    reason: 'its values have over 32768 characters',
  })
})
