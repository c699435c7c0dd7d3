import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { serveHere } from '../surfaces/server-here.ts'
import type { Server } from '../surfaces/server-process.ts'
import { jsonOf, SHOP } from '../surfaces/test-server.ts'

interface Answer {
  readonly text: string
  readonly status: number
  readonly _meta: {
    readonly plasm: {
      readonly continuity: Readonly<Record<string, unknown>>
      readonly relations?: readonly { readonly kind: string; readonly logical_session_ref: string }[]
    }
  }
}

const CUSTOMER = { api: 'shop', entity: 'Customer' }
const ORDER = { api: 'shop', entity: 'Order' }
const PRODUCT = { api: 'shop', entity: 'Product' }

describe('forks', () => {
  let server: Server
  const context = async (body: object) => {
    const response = await server.send('POST', '/v1/contexts', body)
    return { ...(await jsonOf<Answer>(response)), status: response.status }
  }
  beforeAll(async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
    server = await serveHere(dataDir, ['--no-shipped', '--catalog', SHOP])
    await context({ intent: 'parent', seeds: [CUSTOMER, ORDER] })
  })
  afterAll(() => server.kill())

  test('for a reader who holds the table of the parent cost one line', async () => {
    const answer = await context({ intent: 'held', fork_of: 's0', have: 'e2' })
    expect(answer.text).toMatch(/^`s\d+`\n\n_Session unchanged \(`e1`…`e2`\)[^\n]*\n$/)
    expect(answer['_meta'].plasm.continuity).toEqual({
      stale_binding_recovered: false,
      new_symbol_space: false,
    })
  })

  test('for a reader who holds the table of the parent cost their delta', async () => {
    const answer = await context({ intent: 'more', fork_of: 's0', have: 'e2', seeds: [PRODUCT] })
    expect(answer.text).toContain('\ne3')
    expect(answer.text).not.toMatch(/\ne[12]\(\$\)\t/)
    expect(answer['_meta'].plasm.continuity).not.toHaveProperty('discard_cached_plasm_symbols')
  })

  test.each([{}, { have: 'none' }])('for a new reader (%j) bring the whole table', async (held) => {
    const answer = await context({ intent: `new ${JSON.stringify(held)}`, fork_of: 's0', ...held })
    expect(answer.text).toMatch(/\ne1[\t({~]/)
    expect(answer['_meta'].plasm.continuity).toMatchObject({ new_symbol_space: true })
  })

  test('by a reader ahead of the parent are refused', async () => {
    const response = await server.send('POST', '/v1/contexts', { intent: 'ahead', fork_of: 's0', have: 'e9' })
    expect([response.status, await response.json()]).toMatchObject([409, { code: 'have_unknown' }])
  })

  test('name their parent however old it is', { timeout: 60_000 }, async () => {
    for (let turn = 0; turn < 60; turn++) await context({ intent: `topic${turn}`, seeds: [CUSTOMER] })
    const answer = await context({ intent: 'late', fork_of: 's0' })
    expect(answer['_meta'].plasm.relations).toMatchObject([
      { kind: 'forked_from', logical_session_ref: 's0' },
    ])
  })
})

test('other goals over the same entities are no overlaps, the same goal in other words is one', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
  const server = await serveHere(dataDir, ['--no-shipped', '--catalog', SHOP])
  const open = async (intent: string) => {
    const response = await server.send('POST', '/v1/contexts', { intent, seeds: [CUSTOMER, ORDER] })
    return (await jsonOf<Answer>(response))['_meta'].plasm.relations ?? []
  }
  try {
    for (let turn = 0; turn < 40; turn++) {
      const [verb, when] = [['list', 'cancel', 'update'][turn % 3], `for subject${turn} of branch${turn}`]
      expect(await open(`${verb} the customers and their orders ${when}`)).toEqual([])
    }
    await open('refund the duplicate orders of Jane Doe')
    expect(await open('find what Jane Doe ordered in duplicate and refund it')).toMatchObject([
      { kind: 'overlaps' },
    ])
  } finally {
    await server.kill()
  }
})
