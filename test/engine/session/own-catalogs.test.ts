import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { readMcp } from '../../../src/catalog/readers/mcp/read.ts'
import type { Mcp, McpCall } from '../../../src/execution/mcp.ts'
import { setOf } from '../fixtures.ts'
import { testEngine } from '../engines.ts'

/* Catalogs that one session carries: other sessions do not see them. */

const LISTING = {
  tools: [
    {
      name: 'list_memos',
      inputSchema: { type: 'object', properties: {} },
      outputSchema: {
        type: 'object',
        properties: {
          memos: { type: 'array', items: { type: 'object', properties: { id: { type: 'string' } } } },
        },
      },
    },
  ],
}

function ownCatalogs(intent: string) {
  const reads = { names: ['list_memos'], trustsHints: false }
  const { catalog } = readMcp({ id: 'memos', server: 'session:1', listing: LISTING, reads })
  if (!catalog) throw new Error('no catalog')
  const set = setOf(catalog)
  return { intent, catalogs: { current: () => set } }
}

const SEEDS = [{ api: 'memos', entity: 'Memo' }]
const PROGRAM = 'all = e1.list()\nall'

function withServers() {
  const calls: (McpCall & { readonly session: string })[] = []
  const engine = testEngine({
    mcp: ({ sessionId }): Mcp => ({
      send: async (call) => {
        calls.push({ ...call, session: sessionId })
        const answer = { type: 'tool', isError: false, data: { memos: [{ id: 'a' }] }, text: '' } as const
        return { ok: true, reply: { answer, bytes: 10, requests: 1 } }
      },
    }),
  })
  return { ...engine, calls }
}

test('a session is taught its own catalogs and calls them', async () => {
  const { gateway, calls } = withServers()
  const own = ownCatalogs('mine')
  const found = await gateway.discover(LOCAL_USER, { intent: 'list the memos' }, { own })
  expect(found).toMatchObject({ ok: true, facts: { rows: [{ api: 'memos', entity: 'Memo' }] } })
  const opened = await gateway.context(LOCAL_USER, { intent: ' mine ', seeds: SEEDS }, { own })
  expect(opened).toMatchObject({ ok: true })
  const input = { logical_session_ref: 's0', program: PROGRAM }
  const { signal } = new AbortController()
  const ran = await gateway.run(LOCAL_USER, input, { own, signal })
  expect(ran).toMatchObject({ ok: true, facts: { results: [{ rows: [{ values: { id: 'a' } }] }] } })
  expect(calls).toMatchObject([
    { session: expect.stringMatching(/^l_/), catalog: { origin: 'mcp:session:1' }, repeatable: true },
  ])
})

test('another session of the same caller sees none of them', async () => {
  const { gateway, calls } = withServers()
  const own = ownCatalogs('mine')
  const other = await gateway.context(LOCAL_USER, { intent: 'yours', seeds: SEEDS }, { own })
  expect(other).toMatchObject({ ok: false, problems: [{ code: 'unknown_api' }] })
  await gateway.context(LOCAL_USER, { intent: 'yours', seeds: [{ api: 'shop', entity: 'Product' }] }, { own })
  const extended = await gateway.context(LOCAL_USER, { logical_session_ref: 's0', seeds: SEEDS }, { own })
  expect(extended).toMatchObject({ ok: false, problems: [{ code: 'unknown_api' }] })
  expect(calls).toEqual([])
})

test('without them, what a session was taught cannot be called', async () => {
  const { gateway, another, calls } = withServers()
  const own = ownCatalogs('mine')
  await gateway.context(LOCAL_USER, { intent: 'mine', seeds: SEEDS }, { own })
  const { signal } = new AbortController()
  const input = { logical_session_ref: 's0', program: PROGRAM }
  const elsewhere = await another().run(LOCAL_USER, input, { signal })
  expect(elsewhere).toMatchObject({ ok: false, problems: [{ code: 'catalog_gone' }] })
  const registry = await gateway.registry(LOCAL_USER)
  expect(registry.ok && registry.facts.entries.map(({ entry_id: id }) => id)).toEqual(['library', 'shop'])
  expect(calls).toEqual([])
})

test('a catalog of the deployment is not replaced', async () => {
  const { gateway } = withServers()
  const reads = { names: [], trustsHints: false }
  const { catalog } = readMcp({ id: 'shop', server: 'session:2', listing: LISTING, reads })
  const set = setOf(...(catalog ? [catalog] : []))
  const own = { intent: 'mine', catalogs: { current: () => set } }
  const opened = await gateway.context(
    LOCAL_USER,
    { intent: 'mine', seeds: [{ api: 'shop', entity: 'Memo' }] },
    { own },
  )
  expect(opened).toMatchObject({ ok: false, problems: [{ code: 'unknown_seed' }] })
})
