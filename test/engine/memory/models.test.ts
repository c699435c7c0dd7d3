import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Store } from '../../../src/engine/store.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const call = { intent: 'read', seeds: [{ api: 'library', entity: 'Book' }] }

/** A model as the first shape had it: `request` beside `view`, and no `format`. */
const OLD_SHAPE = JSON.parse(`{
  "id": "library", "version": 1, "origin": "https://library.example", "otherOrigins": [], "aliases": [],
  "entities": [{
    "name": "Book", "key": ["id"], "implicitIdentity": false, "abstract": false, "aliases": [], "relations": [], "terms": [],
    "fields": [{ "name": "id", "type": { "kind": "uuid" }, "required": true, "path": ["id"] }]
  }],
  "capabilities": [{
    "name": "book_query", "entity": "Book", "kind": "query", "label": "query", "parameters": [], "openInput": false,
    "effect": "read", "omitAggregateScope": false, "unsupported": [], "terms": [],
    "request": {
      "method": "GET", "path": [{ "type": "literal", "value": "books" }], "bodyFormat": "json",
      "response": { "single": false, "scalar": false }
    }
  }],
  "auth": { "scheme": "none" }, "unsupported": []
}`)

test('a catalog that the store lost is reported as transient, and affects no other session', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  let isLost = false
  const store: Store = { ...kept, model: async (digest) => (isLost ? null : kept.model(digest)) }
  const { gateway } = testEngine({ store })
  expect((await gateway.context(LOCAL_USER, call)).ok).toBe(true)

  // A node that never had this version of the catalog asks the store for it.
  isLost = true
  const late = testEngine({ store })
  late.swap(setOf(fixtureCatalog('library', { version: 99, description: 'Moved' }), fixtureCatalog('shop')))
  const program = { logical_session_ref: 's0', program: 'Book' }
  const answers = [
    await late.gateway.context(LOCAL_USER, call),
    await late.gateway.plan(LOCAL_USER, program),
    await late.gateway.run(LOCAL_USER, program, { signal }),
    await late.gateway.session(LOCAL_USER, 's0'),
    await late.gateway.table(LOCAL_USER, 's0'),
  ]
  for (const reply of answers) {
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'catalog_lost' }] })
    expect(reply.text).toContain(
      'The store lost the version of `library` that this session uses. Send the same call again',
    )
  }
  const other = { intent: 'other', seeds: [{ api: 'shop', entity: 'Order' }] }
  expect((await late.gateway.context(LOCAL_USER, other)).text).toMatch(/^`s1`\n\n```tsv\n/)
  const listed = await late.gateway.sessions(LOCAL_USER)
  expect(listed.ok && listed.facts.sessions.map(({ entities }) => entities.length)).toEqual([1, 0])

  isLost = false
  expect((await late.gateway.context(LOCAL_USER, call)).text).toContain('Changed: library.')
})

test('a model stored in an older shape counts as lost', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  const { gateway } = testEngine({ store: kept })
  await gateway.context(LOCAL_USER, call)
  const late = testEngine({ store: { ...kept, model: async () => OLD_SHAPE }, newId: () => 'late' })
  late.swap(setOf(fixtureCatalog('library', { version: 99 })))
  const program = { logical_session_ref: 's0', program: 'Book' }
  for (const reply of [
    await late.gateway.context(LOCAL_USER, call),
    await late.gateway.plan(LOCAL_USER, program),
    await late.gateway.run(LOCAL_USER, program, { signal }),
  ])
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'catalog_lost' }] })
})

test('a session whose catalog is lost for good can be closed and begun again', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  const { gateway } = testEngine({ store: kept })
  await gateway.context(LOCAL_USER, call)
  const late = testEngine({ store: { ...kept, model: async () => null }, newId: () => 'late' })
  late.swap(setOf(fixtureCatalog('library', { version: 99 })))
  expect((await late.gateway.context(LOCAL_USER, call)).ok).toBe(false)
  expect((await late.gateway.close(LOCAL_USER, 's0')).ok).toBe(true)
  expect((await late.gateway.context(LOCAL_USER, call)).text).toMatch(/^`s1`\n\n```tsv\n/)
})
