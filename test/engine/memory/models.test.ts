import { expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Store } from '../../../src/engine/store.ts'
import { testEngine } from '../engines.ts'
import { fixtureCatalog, setOf } from '../fixtures.ts'

const signal = new AbortController().signal
const call = { intent: 'read', seeds: [{ api: 'library', entity: 'Book' }] }
const both = { intent: 'read', seeds: [...call.seeds, { api: 'shop', entity: 'Order' }] }

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

/** An engine of another version of `library`, on a store that gives these models. */
function late(kept: Store, model: Store['model'], version = 99) {
  let ids = 0
  const engine = testEngine({ store: { ...kept, model }, newId: () => `late ${++ids}` })
  engine.swap(setOf(fixtureCatalog('library', { version, description: 'Moved' }), fixtureCatalog('shop')))
  return engine.gateway
}

const lost: readonly (readonly [string, Store['model']])[] = [
  ['that the store lost', async () => null],
  ['in the shape of an earlier version', async () => OLD_SHAPE],
]
for (const [what, model] of lost) {
  test(`a session with a model ${what} is taught anew`, async () => {
    const kept = memoryStore({ clock: { now: () => 1_000_000 } })
    await testEngine({ store: kept }).gateway.context(LOCAL_USER, both)
    const gateway = late(kept, model)
    const program = { logical_session_ref: 's0', program: 'Book' }
    for (const reply of [
      await gateway.plan(LOCAL_USER, program),
      await gateway.run(LOCAL_USER, program, { signal }),
      await gateway.session(LOCAL_USER, 's0'),
      await gateway.table(LOCAL_USER, 's0'),
    ]) {
      expect(reply).toMatchObject({ ok: false, problems: [{ code: 'catalog_lost' }] })
      expect(reply.text).toContain('Call `plasm_context` with the same `intent` and your `seeds`')
    }
    const listed = await gateway.sessions(LOCAL_USER)
    expect(listed.ok && listed.facts.sessions.map(({ entities }) => entities.length)).toEqual([0])

    const again = await gateway.context(LOCAL_USER, call)
    expect(again.text).toMatch(
      /^`s0`\n\n\*\*Prior Plasm symbol table is void\.\*\* An API .* Changed: library\./,
    )
    expect(again).toMatchObject({ ok: true, meta: { continuity: { new_symbol_space: true } } })
    // No number is given twice: those of the lost table are unknown, also to a reader who holds them.
    expect(again.text).toMatch(/\ne2001\(.*\n(?:.*\n)*e2002\(/)
    const old = await gateway.plan(LOCAL_USER, { ...program, program: 'e1' })
    expect(old).toMatchObject({ ok: false, problems: [{ code: 'unknown_symbol' }] })
    expect((await gateway.plan(LOCAL_USER, program)).ok).toBe(true)
    const reader = await gateway.context(LOCAL_USER, { intent: 'read', have: 'e2' })
    expect(reader.text).toContain('void')
    expect((await gateway.context(LOCAL_USER, call)).text).toContain('Session unchanged')
  })
}

test('a fork of a session whose catalog is lost has the entities of it', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  await testEngine({ store: kept }).gateway.context(LOCAL_USER, both)
  const fork = await late(kept, async () => null).context(LOCAL_USER, { intent: 'fork', fork_of: 's0' })
  expect(fork.text).toMatch(/^`s1`\n(?:.*\n)*e2001\(.*\n(?:.*\n)*e2002\(/)
})

test('a model that a later version wrote is left to that version', async () => {
  const kept = memoryStore({ clock: { now: () => 1_000_000 } })
  await testEngine({ store: kept }).gateway.context(LOCAL_USER, call)
  const newer = { ...OLD_SHAPE, format: 1000 }
  const gateway = late(kept, async () => newer)
  const program = { logical_session_ref: 's0', program: 'Book' }
  for (const reply of [await gateway.context(LOCAL_USER, call), await gateway.plan(LOCAL_USER, program)])
    expect(reply).toMatchObject({ ok: false, problems: [{ code: 'session_newer' }] })
})
