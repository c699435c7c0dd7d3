import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import type { Store } from '../../../src/engine/store.ts'
import { bearerKey } from '../../../src/session/store.ts'
import { address, ALICE, BOB, HandClock, HOUR, MONTH, opened } from '../../contracts/store-fixtures.ts'

const A = address('A')
let folder = ''
let clock: HandClock
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-growth-'))
  clock = new HandClock()
})
afterEach(async () => {
  await store.shutDown()
  await rm(folder, { recursive: true })
})

/** Enough writes that all there is was looked at, more than once. */
async function sweep(label = `${clock.now()}`): Promise<void> {
  await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const at = address(`${label} ${index}`)
      await store.commit(BOB, null, opened(at, clock.now(), { expiresAt: clock.now() + 1 }))
      await store.append({ owner: { address: 'one', principal: BOB }, kind: 'page', body: '"x"', lifeMs: 1 })
    }),
  )
}

const KINDS: Record<string, () => Promise<Store>> = {
  memory: async () => memoryStore({ clock }),
  SQLite: () => sqliteStore({ path: join(folder, 'plasmid.db'), clock }),
}

describe.each(Object.entries(KINDS))('on %s', (_, open) => {
  beforeEach(async () => void (store = await open()))

  test('numbers are kept as long as the session, even if all entries expired', async () => {
    const owner = { address: A, principal: ALICE }
    await store.commit(ALICE, null, opened(A, clock.now()))
    expect(await store.append({ owner, kind: 'page', body: '"one"', lifeMs: HOUR })).toBe(1)
    clock.advance(2 * HOUR)
    await sweep()
    await sweep('again')
    expect(await store.append({ owner, kind: 'page', body: '"two"', lifeMs: HOUR })).toBe(2)
  })

  test('numbers are deleted with the session and its last entry', async () => {
    const owner = { address: A, principal: ALICE }
    await store.commit(ALICE, null, opened(A, clock.now()))
    expect(await store.append({ owner, kind: 'page', body: '"one"', lifeMs: 2 * MONTH })).toBe(1)
    clock.advance(MONTH + HOUR)
    await sweep()
    await sweep('again')
    expect(await store.append({ owner, kind: 'page', body: '"two"', lifeMs: MONTH })).toBe(2)
    clock.advance(MONTH)
    await sweep()
    await sweep('again')
    expect(await store.read(owner, 'page', '2')).toBeNull()
    // The session there is another one now, under another name.
    expect(await store.commit(ALICE, null, opened(A, clock.now()))).toEqual({ committed: true, ordinal: 1 })
    expect(await store.append({ owner, kind: 'page', body: '"three"', lifeMs: MONTH })).toBe(1)
  })

  test('names are never reused, and nothing of an anonymous caller stays', async () => {
    for (const principal of [ALICE, bearerKey(A)]) {
      await store.commit(principal, null, opened(A, clock.now()))
      expect(await store.close(principal, A)).toBe(true)
    }
    expect(await store.commit(ALICE, null, opened(A, clock.now()))).toEqual({ committed: true, ordinal: 1 })
    await store.close(ALICE, A)
    expect(await store.commit(bearerKey(A), null, opened(A, clock.now()))).toEqual({
      committed: true,
      ordinal: 0,
    })
    clock.advance(MONTH)
    await sweep()
    expect(await store.commit(bearerKey(A), null, opened(A, clock.now()))).toEqual({
      committed: true,
      ordinal: 0,
    })
  })
})

test('a thousand anonymous callers leave no row behind', async () => {
  store = await sqliteStore({ path: join(folder, 'plasmid.db'), clock })
  await Promise.all(
    Array.from({ length: 1000 }, async (_, index) => {
      const at = address(`N${index}`)
      await store.commit(bearerKey(at), null, opened(at, clock.now(), { expiresAt: clock.now() + HOUR }))
      await store.append({
        owner: { address: at, principal: bearerKey(at) },
        kind: 'page',
        body: '"rows"',
        lifeMs: HOUR,
      })
    }),
  )
  clock.advance(HOUR)
  for (let round = 0; round < 8; round++) {
    clock.advance(1)
    await sweep(`round ${round}`)
  }
  const db = await openDriver(join(folder, 'plasmid.db'))
  const rows = (table: string) =>
    db.prepare<{ readonly n: number }>(`SELECT count(*) AS n FROM ${table}`).get()?.n
  expect(
    ['entries', 'entry_counters', 'entry_bytes', 'name_counters'].map((table) => [table, rows(table)]),
  ).toEqual([
    // What the last round wrote for itself.
    ['entries', 1000],
    ['entry_counters', 1],
    ['entry_bytes', 1],
    ['name_counters', 1],
  ])
  db.close()
})
