import { describe, expect, it } from 'vitest'
import { requestOf } from '../../../../src/catalog/call.ts'
import { readPlasm } from '../../../../src/catalog/readers/plasm/read.ts'
import { briefly, readSmall } from '../plasm/small.ts'

function read(text: string) {
  return readPlasm({
    path: 'x',
    id: 'x',
    domain: { file: 'd', text },
    mappings: { file: 'm', text: 'x-: 1' },
  })
}
const head = 'http_backend: https://a.example\nentities: {}\ncapabilities: {}\n'

describe('hostile YAML', () => {
  it.each([
    ['nothing', '', 'yaml_empty d:1'],
    ['a comment', '# hello', 'yaml_empty d:1'],
    ['a null', '~', 'yaml_empty d:1'],
    ['a text', 'hello', 'wrong_shape d:1'],
    ['a list', '- a', 'wrong_shape d:1'],
    ['a tab', '\ta: 1', 'yaml_syntax d:1'],
    ['two documents', 'a: 1\n---\nb: 2', 'yaml_syntax d:2'],
    ['an unclosed list', 'a: [1,\n', 'yaml_syntax d:2'],
  ])('%s is an error with its line', (_, text, wanted) => {
    expect(briefly(read(text).errors)).toContain(wanted)
  })

  it('refuses aliases that explode', () => {
    const rows = Array.from({ length: 12 }, (_, index) => {
      const before = index === 0 ? 'x' : `*a${index - 1}`
      return `  a${index}: &a${index} [${Array.from({ length: 10 }, () => before).join(', ')}]`
    })
    const { errors } = read(`${head}values:\n${rows.join('\n')}`)
    expect(errors.filter(({ code }) => code === 'yaml_aliases')).toHaveLength(1)
  })

  it('refuses an alias inside of its own anchor', () => {
    expect(briefly(read(`${head}values: &a { b: *a }`).errors)).toContain('yaml_bad_alias d:4')
  })

  it('lets aliases stand for what they repeat', () => {
    const row = '{ method: GET, path: [{ type: literal, value: notes }], response: &r { items: rows } }'
    const { catalog } = readSmall({
      capabilities: '  a: { kind: query, entity: Note }\n  b: { kind: search, entity: Note }',
      mappings: `a: ${row}\nb: { method: GET, path: [], response: *r }`,
    })
    expect(catalog?.capabilities.map((capability) => requestOf(capability)?.response.path)).toEqual([
      undefined,
      ['rows'],
      ['rows'],
    ])
  })

  it.each([
    ['flow', (depth: number) => '['.repeat(depth) + ']'.repeat(depth)],
    ['block', (depth: number) => `\n${'- '.repeat(depth)}x`],
  ])('bounds nesting in %s style', (_, nest) => {
    for (const depth of [150, 50_000]) {
      expect(read(`${head}values: ${nest(depth)}`).errors.map(({ code }) => code)).toContain('yaml_too_deep')
    }
  })

  it('bounds nesting that aliases add up to', () => {
    const deep = (inner: string) => `${'['.repeat(40)}${inner}${']'.repeat(40)}`
    const values = `{ a: &a ${deep('x')}, b: &b ${deep('*a')}, c: ${deep('*b')} }`
    expect(read(`${head}values: ${values}`).errors.map(({ code }) => code)).toEqual(['yaml_too_deep'])
  })

  it('keeps names of prototypes apart', () => {
    const { errors, catalog } = readSmall({
      entities: '      constructor: { value_ref: text }\n      toString: { value_ref: toString }',
    })
    expect(catalog).toBeUndefined()
    expect(briefly(errors)).toEqual(['unknown_name domain.yaml:12'])
    expect(briefly(readSmall({ entities: '      __proto__: { value_ref: text }' }).errors)).toEqual([
      'bad_name domain.yaml:11',
    ])
    expect(({} as { value_ref?: unknown }).value_ref).toBeUndefined()
  })

  it('refuses names that break lines', () => {
    const { errors } = readSmall({
      entities: '      "a\\tb": { value_ref: text }\n      "": { value_ref: text }',
    })
    expect(briefly(errors)).toEqual(['bad_name domain.yaml:11', 'bad_name domain.yaml:12'])
  })

  it('lets the later of doubled keys hold', () => {
    const { warnings, catalog } = readSmall({ top: 'version: 1\nversion: 2' })
    expect(briefly(warnings)).toEqual(['duplicate_key domain.yaml:3'])
    expect(catalog?.version).toBe(2)
  })

  it('stops listing problems at some point', () => {
    const rows = Array.from({ length: 3000 }, (_, index) => `      f${index}: { value_ref: nope${index} }`)
    const { errors } = readSmall({ entities: rows.join('\n') })
    expect(errors).toHaveLength(501)
    expect(errors.at(-1)?.code).toBe('too_many_problems')
  })

  it('follows no chain of arrays', () => {
    const rows = Array.from(
      { length: 5000 },
      (_, index) => `  v${index}: { type: array, items: { value_ref: v${index + 1} } }`,
    )
    const { errors } = readSmall({ values: `${rows.join('\n')}\n  v5000: { type: integer }` })
    expect(errors[0]?.code).toBe('nested_array')
  })

  it('reads ten megabytes', () => {
    const { catalog } = readSmall({ top: `description: "${'x'.repeat(10_000_000)}"` })
    expect(catalog?.description).toHaveLength(10_000_000)
  })
})
