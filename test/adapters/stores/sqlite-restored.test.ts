import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import type { Store } from '../../../src/engine/store.ts'
import type { SessionRecord } from '../../../src/session/record.ts'
import { address, ALICE, BOB, extended, HandClock, MONTH, opened } from '../../contracts/store-fixtures.ts'

const A = address('A')
const OWNER = { address: A, principal: ALICE }
const clock = new HandClock()
let folder = ''
let path = ''
let store: Store

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-restored-'))
  path = join(folder, 'plasmid.db')
  store = await sqliteStore({ path, clock })
})
afterEach(async () => {
  await store.shutDown()
  await rm(folder, { recursive: true })
})

/** Copies the file by SQLite's own means, as an operator does. */
async function backUp(): Promise<void> {
  const db = await openDriver(path)
  db.exec(`VACUUM INTO '${path}.backup'`)
  db.close()
}

async function restart(): Promise<void> {
  await store.shutDown()
  store = await sqliteStore({ path, clock })
}

async function restore(): Promise<void> {
  await store.shutDown()
  await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
  await copyFile(`${path}.backup`, path)
  store = await sqliteStore({ path, clock })
}

function aside(record: SessionRecord, commit: string, skip = 1000): SessionRecord {
  const next = extended(record, commit)
  return { ...next, waves: next.waves.map((wave, at) => (at === record.revision ? { ...wave, skip } : wave)) }
}

test('a restart loses nothing and reports nothing', async () => {
  const first = opened(A, clock.now())
  await store.commit(ALICE, null, first)
  await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: '"sent"', lifeMs: MONTH })
  await restart()
  expect(await store.findByAddress(ALICE, A)).toEqual({
    record: first,
    ordinal: 0,
    delivered: 0,
    now: clock.now(),
  })
  expect(await store.read(OWNER, 'effect', 'e')).not.toHaveProperty('lost')
})

test('after a backup was restored, the next wave must skip', async () => {
  const first = opened(A, clock.now())
  await store.commit(ALICE, null, first)
  await backUp()
  await store.commit(ALICE, first, extended(first, 'forgotten'))
  await restore()
  const found = { record: first, ordinal: 0, delivered: 0, now: clock.now(), lost: 1000 }
  expect(await store.findByAddress(ALICE, A)).toEqual(found)
  const refused = { committed: false, current: first, now: clock.now(), lost: 1000 }
  expect(await store.commit(ALICE, first, extended(first, 'second'))).toEqual(refused)
  // Who joins adds no symbol, and mends nothing.
  const joined = { ...first, commit: 'joined' }
  expect(await store.commit(BOB, first, joined)).toEqual({ committed: true, ordinal: 1000 })
  expect(await store.findByAddress(ALICE, A)).toEqual({ ...found, record: joined })
  const next = aside(joined, 'aside')
  expect(await store.commit(ALICE, joined, next)).toEqual({ committed: true, ordinal: 0 })
  expect(await store.findByAddress(ALICE, A)).not.toHaveProperty('lost')
  expect((await store.commit(ALICE, next, extended(next, 'third'))).committed).toBe(true)
  await restart()
  expect(await store.findByAddress(ALICE, A)).not.toHaveProperty('lost')
})

test('restored twice, it repeats no number given after the first time', async () => {
  const first = opened(A, clock.now())
  await store.commit(ALICE, null, first)
  await backUp()
  await store.commit(ALICE, null, opened(address('B'), clock.now()))
  await restore()
  expect(await store.commit(ALICE, null, opened(address('C'), clock.now()))).toEqual({
    committed: true,
    ordinal: 1001,
  })
  await restore()
  expect(await store.findByAddress(ALICE, A)).toMatchObject({ lost: 2000 })
  expect(await store.commit(ALICE, null, opened(address('D'), clock.now()))).toEqual({
    committed: true,
    ordinal: 2001,
  })
})

test('names and numbers of entries are skipped, entries are marked', async () => {
  await store.append({ owner: OWNER, kind: 'page', body: '"one"', lifeMs: MONTH })
  await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: '"sent"', lifeMs: MONTH })
  await backUp()
  await store.append({ owner: OWNER, kind: 'page', body: '"forgotten"', lifeMs: MONTH })
  await restore()
  expect(await store.read(OWNER, 'page', '2')).toBeNull()
  expect(await store.append({ owner: OWNER, kind: 'page', body: '"three"', lifeMs: MONTH })).toBe(1002)
  expect(await store.append({ owner: OWNER, kind: 'page', body: '"four"', lifeMs: MONTH })).toBe(1003)
  expect(await store.read(OWNER, 'effect', 'e')).toMatchObject({ body: '"sent"', lost: true })
  expect(await store.entries(OWNER, 'effect', 9)).toMatchObject([{ body: '"sent"', lost: true }])
  expect(
    await store.replace({
      owner: OWNER,
      kind: 'effect',
      name: 'e',
      version: 1,
      body: '"done"',
      lifeMs: MONTH,
    }),
  ).toBe(true)
  expect(await store.read(OWNER, 'effect', 'e')).not.toHaveProperty('lost')
})

test('a recreated file repeats no number of the previous one', async () => {
  await store.commit(ALICE, null, opened(A, clock.now()))
  await store.shutDown()
  await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
  store = await sqliteStore({ path, clock })
  expect(await store.commit(ALICE, null, opened(address('B'), clock.now()))).toEqual({
    committed: true,
    ordinal: 1000,
  })
})

test.each([
  ['gone', () => rm(`${path}-last`)],
  ['empty', () => writeFile(`${path}-last`, '')],
  ['none of ours', () => writeFile(`${path}-last`, 'x'.repeat(100))],
])('a note that is %s says nothing, and is written again', async (_, spoil) => {
  const first = opened(A, clock.now())
  await store.commit(ALICE, null, first)
  await store.shutDown()
  await spoil()
  store = await sqliteStore({ path, clock })
  expect(await store.findByAddress(ALICE, A)).not.toHaveProperty('lost')
  await backUp()
  await store.commit(ALICE, first, extended(first, 'forgotten'))
  await restore()
  expect(await store.findByAddress(ALICE, A)).toMatchObject({ lost: 1000 })
})

test('of two processes that find it restored, one starts a new epoch', async () => {
  await store.commit(ALICE, null, opened(A, clock.now()))
  await backUp()
  await store.commit(ALICE, null, opened(address('B'), clock.now()))
  await store.shutDown()
  await Promise.all(['', '-wal', '-shm'].map((end) => rm(`${path}${end}`, { force: true })))
  await copyFile(`${path}.backup`, path)
  const [one, two] = await Promise.all([sqliteStore({ path, clock }), sqliteStore({ path, clock })])
  for (const each of [one, two]) expect(await each.findByAddress(ALICE, A)).toMatchObject({ lost: 1000 })
  expect((await two.commit(ALICE, null, opened(address('C'), clock.now()))).committed).toBe(true)
  await two.shutDown()
  store = one
})

test('a write that changes nothing is not a commit', async () => {
  await store.commit(ALICE, null, opened(A, clock.now()))
  const before = await readFile(`${path}-last`, 'utf8')
  expect(
    await store.claim({ owner: OWNER, kind: 'effect', name: 'e', body: '"sent"', lifeMs: MONTH, most: 0 }),
  ).toBe(false)
  expect(await store.close(BOB, A)).toBe(false)
  expect(await readFile(`${path}-last`, 'utf8')).toBe(before)
  expect(before).toMatch(/^ +\d+ +0\n$/)
})
