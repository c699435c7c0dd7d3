import { describe, expect, test } from 'vitest'
import type { Json } from '../../../../src/base/canonical.ts'
import { applyOverlay } from '../../../../src/catalog/readers/openapi/overlay/apply.ts'
import { readOpenapi } from '../../../../src/catalog/readers/openapi/read.ts'

const overlaid = (document: Json, ...actions: readonly Json[]) =>
  applyOverlay(document, { overlay: '1.1.0', info: { title: 'x', version: '1' }, actions })

const PETS = {
  paths: {
    '/pets': { get: { tags: ['a', 'b'], parameters: [{ name: 'x' }, { name: 'y' }, { name: 'z' }] } },
    "/it's": { get: { tags: [], parameters: [{ name: 'x' }] } },
  },
}

describe('an overlay', () => {
  test.each<[string, Json, Json, Json]>([
    [
      'merges objects and joins their lists',
      { a: { b: 1, list: [1], c: { d: 1 } } },
      { target: '$.a', update: { b: 2, list: [2], c: { e: 2 } } },
      { a: { b: 2, list: [1, 2], c: { d: 1, e: 2 } } },
    ],
    ['appends an element', { list: [1] }, { target: '$.list', update: { x: 1 } }, { list: [1, { x: 1 }] }],
    ['replaces a scalar', { a: { b: 'old' } }, { target: '$.a.b', update: 'new' }, { a: { b: 'new' } }],
    [
      'removes elements',
      { list: [1, 2, 1, 3] },
      { target: '$.list[?@ == 1]', remove: true },
      { list: [2, 3] },
    ],
    ['copies a value', { a: { x: 1 }, b: {} }, { target: '$.b', copy: '$.a' }, { a: { x: 1 }, b: { x: 1 } }],
    [
      'changes every place that it selects, whatever its key',
      PETS,
      { target: "$.paths[*].get.parameters[?@.name == 'x']", remove: true },
      {
        paths: {
          '/pets': { get: { tags: ['a', 'b'], parameters: [{ name: 'y' }, { name: 'z' }] } },
          "/it's": { get: { tags: [], parameters: [] } },
        },
      },
    ],
    [
      'keeps keys that look like prototypes',
      {},
      { target: '$', update: JSON.parse('{"__proto__": 1}') },
      JSON.parse('{"__proto__": 1}'),
    ],
  ])('%s', (_, document, action, expected) => {
    expect(overlaid(document, action)).toEqual({ document: expected, warnings: [] })
  })

  test('applies each action to what the one before it made', () => {
    const done = overlaid({ a: 1 }, { target: '$', update: { b: {} } }, { target: '$.b', update: { c: 2 } })
    expect(done).toEqual({ document: { a: 1, b: { c: 2 } }, warnings: [] })
  })

  test('says which action selects nothing', () => {
    expect(
      overlaid(PETS, { target: '$.paths', update: {} }, { target: '$.nowhere', remove: true }),
    ).toMatchObject({
      document: PETS,
      warnings: [{ code: 'overlay_unmatched', message: expect.stringContaining('Action 2 ') }],
    })
  })

  test.each<[Json, string]>([
    [{ target: '$.paths[', remove: true }, 'overlay_path'],
    [{ target: '$', remove: true }, 'overlay_incompatible'],
    [{ target: '$.paths', update: 7 }, 'overlay_incompatible'],
    [{ target: '$.paths', update: { '/pets': { get: { tags: 'a' } } } }, 'overlay_incompatible'],
    [{ target: '$.paths', copy: '$.paths.*' }, 'overlay_incompatible'],
    [{ target: '$.paths' }, 'overlay_action'],
    [{ update: {} }, 'overlay_action'],
  ])('refuses %j', (action, code) => {
    expect(overlaid(PETS, action)).toMatchObject({ code })
  })

  test.each<[Json, string]>([
    [{ overlay: '2.0.0', actions: [{ target: '$', update: {} }] }, 'overlay_version'],
    [{ overlay: '1.0.0', actions: [] }, 'overlay_actions'],
    [{ openapi: '3.0.0' }, 'overlay_version'],
  ])('refuses the document %j', (overlay, code) => {
    expect(applyOverlay(PETS, overlay)).toMatchObject({ code })
  })
})

test('corrects a document before it is read', () => {
  const text = JSON.stringify({
    openapi: '3.0.0',
    servers: [{ url: 'https://api.example' }],
    paths: {
      '/pets': { get: { responses: { 200: { description: 'ok' } } } },
      '/secret': { get: { responses: {} } },
    },
  })
  const overlay = `
overlay: 1.0.0
info: { title: Ours, version: '1' }
actions:
  - target: $.paths['/secret']
    remove: true
  - target: $.paths['/pets'].get.responses['200']
    update:
      content: { application/json: { schema: { type: array, items: { type: object, properties: { name: { type: string } } } } } }
  - target: $.paths['/gone']
    remove: true
`
  const { catalog, warnings, operations } = readOpenapi({
    path: 'pets',
    id: 'pets',
    file: { file: 'pets.json', text },
    overlay: { file: 'ours.yaml', text: overlay },
  })
  expect(operations?.total).toBe(1)
  expect(catalog?.entities.map(({ name, fields }) => [name, fields.map((field) => field.name)])).toEqual([
    ['Pet', ['name']],
  ])
  expect(warnings).toMatchObject([{ code: 'overlay_unmatched', file: 'ours.yaml' }])
})
