import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { settled } from '../../../src/adapters/catalogs/settled.ts'
import { settledInThisThread } from '../../../src/adapters/catalogs/settled-in-this-thread.ts'
import { Joined, slicesOf } from '../../../src/adapters/catalogs/slices.ts'

const folder = await mkdtemp(join(tmpdir(), 'plasmid-slices-'))
afterAll(() => rm(folder, { recursive: true }))

const path = join(folder, 'things.json')
const list = { type: 'array', items: { $ref: '#/components/schemas/Thing' } }
const answer = { 200: { description: 'ok', content: { 'application/json': { schema: list } } } }
const things = Array.from({ length: 400 }, (_, index) => [
  `/part${index}/things`,
  { get: { description: `Lists the things of part ${index}. ${'Long. '.repeat(20)}`, responses: answer } },
])
await writeFile(
  path,
  JSON.stringify({
    openapi: '3.1.0',
    servers: [{ url: 'https://things.example' }],
    paths: Object.fromEntries(things),
    components: { schemas: { Thing: { type: 'object', properties: { name: { type: 'string' } } } } },
  }),
)
const input = { path, id: 'things', corrections: { description: 'Things and parts' } }

test('a large catalog crosses from its thread in small slices', async () => {
  const reading = await settledInThisThread(input)
  const slices = slicesOf(reading)
  expect(slices.length).toBeGreaterThan(3)
  for (const slice of slices) expect(JSON.stringify(slice).length).toBeLessThan(150_000)
  const joined = new Joined()
  const [last, ...others] = slices.map((slice) => joined.add(structuredClone(slice))).toReversed()
  expect(others.every((one) => one === undefined)).toBe(true)
  expect(last).toEqual(reading)
  expect(Object.isFrozen(last?.catalog?.capabilities[0]?.parameters)).toBe(true)
})

test('a catalog of which one entity alone is too large is refused', async () => {
  const { catalog, ...reading } = await settledInThisThread(input)
  const [entity, ...entities] = catalog?.entities ?? []
  if (!catalog || !entity) throw new Error('no catalog')
  const wide = { ...entity, description: 'x'.repeat(500_000) }
  const slices = slicesOf({ ...reading, catalog: { ...catalog, entities: [...entities, wide] } })
  expect(slices).toMatchObject([
    {
      reading: {
        id: 'things',
        errors: [
          { code: 'catalog_part_too_large', message: expect.stringContaining(`\`${entity.name}\` alone`) },
        ],
      },
      isLast: true,
    },
  ])
  expect(slices[0]?.reading?.catalog).toBeUndefined()
})

describe('a document with a very wide object', () => {
  const properties = Object.fromEntries(Array.from({ length: 12_000 }, (_, index) => [`member${index}`, {}]))
  const content = { 'application/json': { schema: { type: 'object', properties } } }
  const post = { requestBody: { content }, responses: answer }

  async function read(paths: object) {
    const wide = join(folder, 'wide.json')
    await writeFile(
      wide,
      JSON.stringify({ openapi: '3.1.0', servers: [{ url: 'https://a.example' }], paths }),
    )
    return settled({ path: wide, id: 'wide' })
  }

  test('is read without the operation that takes it', async () => {
    const { catalog, operations, warnings } = await read({
      '/a': { post },
      '/b': { get: { responses: answer } },
    })
    expect(catalog?.capabilities.map(({ entity }) => entity)).toEqual(['B'])
    const reason = expect.stringMatching(/^its arguments fill more than 500000 characters/)
    expect(operations).toEqual({ total: 2, reachable: 1, left: [{ operation: 'POST /a', reason }] })
    expect(warnings.map(({ code }) => code)).toContain('operation_left')
  })

  test('is refused where no other operation is left', async () => {
    expect(await read({ '/a': { post } })).toMatchObject({ errors: [{ code: 'openapi_no_operations' }] })
  })
})

test('a thread reads what this one would', async () => {
  expect(await settled(input)).toEqual(await settledInThisThread(input))
})

test('what cannot be read is said from the thread', async () => {
  const overlay = join(folder, 'none.yaml')
  expect(await settled({ ...input, overlay })).toMatchObject({
    id: 'things',
    errors: [{ code: 'catalog_unreadable', message: expect.stringContaining('none.yaml') }],
  })
})
