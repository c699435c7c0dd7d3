import { expect, test } from 'vitest'
import { briefly, modelOf, readSmall } from '../small.ts'

const found = (template: string) => {
  const reading = readSmall({
    capabilities: '  it: { kind: query, entity: Note }',
    mappings: `it: ${template}`,
  })
  const it = modelOf(reading).capabilities.find(({ name }) => name === 'it')
  return { warnings: reading.warnings, unsupported: it?.unsupported }
}
const path = (...segments: readonly string[]) => `{ method: GET, path: [${segments.join(', ')}] }`
const literal = (text: string) => `{ type: literal, value: ${JSON.stringify(text)} }`

test.each(['..', '.', 'a/../b', '%2e%2E', 'a/.%2e', 'https://api.example/x/..', 'a\\b', 'a\n'])(
  'a path with %j in it is refused when it is read',
  (text) => {
    const { warnings, unsupported } = found(path(literal('x'), literal(text)))
    expect([briefly(warnings), unsupported]).toEqual([['unsafe_literal mappings.yaml:2'], ['unsafe_path']])
  },
)

test('a suffix is a part of the path', () => {
  const bad = found(path(literal('x'), '{ type: var, name: id, suffix: "/../admin" }'))
  expect(bad.unsupported).toEqual(['unsafe_path'])
  expect(found(path(literal('x'), '{ type: var, name: id, suffix: ".json" }')).unsupported).toEqual([])
})

test.each(['v1..2', '...', 'a?b=../c', '%2e%2e.json', '', 'a%20b', 'a b', 'a#b'])(
  'a path with %j in it is none of these',
  (text) => {
    const { warnings, unsupported } = found(path(literal('x'), literal(text)))
    expect([briefly(warnings), unsupported]).toEqual([[], []])
  },
)

test.each([
  ['[x-a, { type: const, value: "a\\r\\nx-evil: b" }]', 'a line break'],
  ['["x a", { type: const, value: b }]', 'a name that is none'],
  ['[x-a, { type: format, template: "{n}\\n", vars: { n: { type: const, value: 1 } } }]', 'a template'],
  ['[x-a, { type: join, sep: "\\n", expr: { type: const, value: 1 } }]', 'a separator'],
])('a header of %s is refused when it is read (%s)', (field) => {
  const { warnings, unsupported } = found(
    `{ method: GET, path: [${literal('x')}], headers: { type: object, fields: [${field}] } }`,
  )
  expect([briefly(warnings), unsupported]).toEqual([['unsafe_literal mappings.yaml:2'], ['unsafe_header']])
  expect(warnings[0]?.message).not.toMatch(/[\r\n]/)
})

test('a backend whose path is not what it says is no URL', () => {
  const wrong = readSmall({ top: 'http_backend: https://api.example/v1/%2e%2e/v2' })
  expect(briefly(wrong.errors)).toEqual(['bad_url domain.yaml:2'])
})

test('the credentials go where the catalog says, and its templates call', () => {
  const auth = (origin: string) => `auth: { scheme: bearer_token, env: KEY, origins: [${origin}] }`
  const parts = {
    capabilities: '  it: { kind: query, entity: Note }',
    mappings: `it: ${path(literal('https://files.example/x'))}`,
  }
  const right = modelOf(readSmall({ ...parts, top: auth('https://files.example') }))
  expect(right).toMatchObject({
    otherOrigins: ['https://files.example'],
    authOrigins: ['https://files.example'],
  })
  const wrong = readSmall({ ...parts, top: auth('https://file.example') })
  expect(briefly(wrong.errors)).toEqual(['origin_without_calls domain.yaml:2'])
})
