import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import type { Store } from '../../../src/engine/store.ts'
import type { SessionRecord } from '../../../src/session/record.ts'
import {
  address,
  ALICE,
  BOB,
  catalog,
  HandClock,
  HOUR,
  MONTH,
  opened,
} from '../../contracts/store-fixtures.ts'

let folder = ''
let clock: HandClock
const stores: Store[] = []

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-models-'))
  clock = new HandClock()
})
afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.shutDown()))
  await rm(folder, { recursive: true })
})

/** A record that pins a model of its own. */
function pinning(digest: string, at = address(digest)): SessionRecord {
  const waves = [
    {
      revision: 1,
      generation: 1,
      picks: [{ catalog: 'git', digest, lens: 'all' as const, entities: ['Issue'] }],
    },
  ]
  return opened(at, clock.now(), { waves })
}

/** Enough writes that all there is was looked at. */
async function sweep(store: Store): Promise<void> {
  await Promise.all(
    Array.from({ length: 300 }, (_, index) =>
      store.commit(BOB, null, pinning('other', address(`${clock.now()} ${index}`))),
    ),
  )
}

const KINDS: Record<string, () => Promise<Store>> = {
  memory: async () => memoryStore({ clock }),
  SQLite: () => sqliteStore({ path: join(folder, 'plasmid.db'), clock }),
}

describe.each(Object.entries(KINDS))('models on %s', (_, make) => {
  async function open(): Promise<Store> {
    const store = await make()
    stores.push(store)
    return store
  }

  test('one that no session names is deleted after a day', async () => {
    const store = await open()
    await store.keepModel('d1', catalog('git'))
    clock.advance(23 * HOUR)
    await sweep(store)
    expect(await store.model('d1')).toEqual(catalog('git'))
    clock.advance(HOUR)
    await sweep(store)
    expect(await store.model('d1')).toBeNull()
    await store.keepModel('d1', catalog('git'))
    expect(await store.model('d1')).toEqual(catalog('git'))
  })

  test('one that a session names is kept as long as the session', async () => {
    const store = await open()
    for (const digest of ['d1', 'd2']) {
      await store.keepModel(digest, catalog(digest))
      await store.commit(ALICE, null, pinning(digest))
    }
    clock.advance(MONTH - 1)
    // The row is long gone, and the record was used the day before it would end.
    const record = pinning('d2')
    await store.commit(ALICE, (await store.findByAddress(ALICE, record.address)).record, {
      ...record,
      commit: 'again',
    })
    await sweep(store)
    expect([await store.model('d1'), await store.model('d2')]).toEqual([catalog('d1'), catalog('d2')])
    await store.touch(record.address, 1, clock.now() + HOUR, clock.now() + 2 * MONTH)
    clock.advance(2 * MONTH - 1)
    await sweep(store)
    expect([await store.model('d1'), await store.model('d2')]).toEqual([null, catalog('d2')])
    clock.advance(26 * HOUR)
    await sweep(store)
    expect(await store.model('d2')).toBeNull()
  })
})

test('a model swept between its storage and its first session is stored again', async () => {
  const [one, two] = [await KINDS['SQLite']?.(), await KINDS['SQLite']?.()]
  if (!one || !two) throw new Error('wanted two')
  stores.push(one, two)
  await one.keepModel('d1', catalog('git'))
  clock.advance(25 * HOUR)
  await sweep(two)
  expect(await two.model('d1')).toBeNull()
  expect((await one.commit(ALICE, null, pinning('d1'))).committed).toBe(true)
  expect(await two.model('d1')).toEqual(catalog('git'))
  clock.advance(MONTH - 1)
  await sweep(two)
  expect(await two.model('d1')).toEqual(catalog('git'))
})
