import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { CatalogSet } from '../../../src/catalog/lookup.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const shop = fixtureCatalog('shop')
const older = setOf(shop)
const newer = setOf({
  ...shop,
  version: shop.version + 1,
  entities: shop.entities.filter(({ name }) => name !== 'Invoice'),
})

/** Two nodes on one store, one of which has the new version already; each call names the node and an entity. */
function twoNodes() {
  let ids = 0
  const store = memoryStore({ clock: { now: () => 1_000_000 } })
  const node = (set: CatalogSet) =>
    testEngine({ store, catalogs: { current: () => set }, newId: () => `id${++ids}` })
  const [old, next] = [node(older), node(newer)]
  return (on: 'old' | 'next', entity: string) =>
    (on === 'old' ? old : next).gateway.context(LOCAL_USER, {
      intent: 'rolling out',
      seeds: [{ api: 'shop', entity }],
    })
}

test('a node that is behind follows the session', async () => {
  const ask = twoNodes()
  await ask('old', 'Customer')
  const moved = await ask('next', 'Customer')
  expect(moved.ok && moved.facts.continuity.stale_binding_recovered).toBe(true)
  expect(moved.text).toContain('\ne2($)\tCustomer:')

  const back = await ask('old', 'Customer')
  expect(back.text).toBe(
    '`s0`\n\n_Session unchanged (`e1`…`e2`). Use `plasm` / `plasm_run` with this logical_session_ref._ Missing rows? Call again with have = the last e# you hold all rows of, or "none".\n',
  )
  const more = await ask('old', 'Product')
  expect(more.text).toContain('\ne3($)\tProduct:')
  expect(more.text).not.toContain('void')
})

test('what the later version lacks is no seed', async () => {
  const ask = twoNodes()
  await ask('next', 'Customer')
  const reply = await ask('old', 'Invoice')
  expect(reply.ok ? [] : reply.problems.map(({ code }) => code)).toEqual(['unknown_seed'])
})
