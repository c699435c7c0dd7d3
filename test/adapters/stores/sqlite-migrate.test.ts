import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { StoreError } from '../../../src/adapters/stores/problems.ts'
import { openDriver, type Driver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { migrate, schemaGuard } from '../../../src/adapters/stores/sqlite/migrate.ts'
import { MIGRATIONS, SCHEMA, TABLES } from '../../../src/adapters/stores/sqlite/schema.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import { address, ALICE, HandClock, opened } from '../../contracts/store-fixtures.ts'

const clock = new HandClock()
const A = address('A')
let folder = ''
let path = ''

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-migrate-'))
  path = join(folder, 'plasmid.db')
  await mkdir(folder, { recursive: true })
})
afterEach(() => rm(folder, { recursive: true }))

/** A file of layout 0, with one session in it: nothing was known of what principals were told. */
async function older(): Promise<void> {
  const db = await openDriver(path)
  const later =
    /, (?:told|expires) INTEGER NOT NULL DEFAULT 0|,\s+life INTEGER NOT NULL DEFAULT 0|CREATE INDEX IF .*/g
  db.exec(TABLES.replaceAll(later, ''))
  db.exec("INSERT INTO models VALUES ('d1', '{}')")
  db.exec(
    'DROP TABLE entry_bytes; DROP TRIGGER entry_added; DROP TRIGGER entry_changed; DROP TRIGGER entry_gone',
  )
  db.exec("INSERT INTO meta VALUES ('schema', 0), ('born', 1)")
  db.prepare("INSERT INTO entries VALUES (?, ?, 'page', '\"1\"', 1, ?, ?)").run(
    A,
    JSON.stringify(ALICE),
    clock.now() + 60_000,
    JSON.stringify('é'.repeat(50)),
  )
  const record = opened(A, clock.now())
  const { revision, row, commit, expiresAt } = record
  db.prepare('INSERT INTO sessions VALUES (?, ?, ?, ?, ?, ?, ?)').run(
    A,
    revision,
    row.generation,
    commit,
    row.expiresAt,
    expiresAt,
    JSON.stringify(record),
  )
  db.prepare('INSERT INTO names VALUES (?, 7, ?)').run(JSON.stringify(ALICE), A)
  db.exec(`INSERT INTO name_counters VALUES ('${JSON.stringify(ALICE)}', 8)`)
  db.close()
}

function columnsOf(db: Driver): unknown {
  const tables = [
    'sessions',
    'names',
    'name_counters',
    'models',
    'entries',
    'entry_counters',
    'entry_bytes',
    'meta',
  ]
  return tables.map((table) =>
    db
      .prepare<{ readonly name: string; readonly type: string; readonly notnull: number }>(
        `PRAGMA table_info(${table})`,
      )
      .all()
      .map(({ name, type, notnull }) => `${table}.${name} ${type} ${notnull}`),
  )
}

test('an older file is migrated to this layout', async () => {
  await older()
  const store = await sqliteStore({ path, clock })
  const found = { record: opened(A, clock.now()), ordinal: 7, delivered: 0, now: clock.now() }
  expect(await store.findByAddress(ALICE, A)).toEqual(found)
  await store.markDelivered(ALICE, A, 1)
  expect(await store.findByAddress(ALICE, A)).toEqual({ ...found, delivered: 1 })
  expect([await store.holdsBytes(ALICE, 102), await store.holdsBytes(ALICE, 103)]).toEqual([true, false])
  expect(await store.commit(ALICE, null, opened(address('B'), clock.now()))).toEqual({
    committed: true,
    ordinal: 8,
  })
  await store.shutDown()
  const fresh = join(folder, 'fresh', 'plasmid.db')
  await (await sqliteStore({ path: fresh, clock })).shutDown()
  const [moved, made] = await Promise.all([openDriver(path), openDriver(fresh)])
  expect(columnsOf(moved)).toEqual(columnsOf(made))
  expect(schemaGuard(moved, path)()).toBe(SCHEMA)
  moved.close()
  made.close()
})

test('two processes migrate it once', async () => {
  await older()
  const stores = await Promise.all([sqliteStore({ path, clock }), sqliteStore({ path, clock })])
  for (const store of stores) expect((await store.findByAddress(ALICE, A)).ordinal).toBe(7)
  await Promise.all(stores.map((store) => store.shutDown()))
})

function fail(): never {
  throw new Error('the second step')
}

test('a step that fails changes nothing', async () => {
  await older()
  const db = await openDriver(path)
  const before = columnsOf(db)
  expect(() => migrate(db, schemaGuard(db, path), [...MIGRATIONS, fail])).toThrow('the second step')
  expect([columnsOf(db), schemaGuard(db, path)()]).toEqual([before, 0])
  db.close()
})

test('a newer file is refused, and left as it is', async () => {
  await (await sqliteStore({ path, clock })).shutDown()
  const db = await openDriver(path)
  db.exec(`UPDATE meta SET value = ${SCHEMA + 1} WHERE key = 'schema'`)
  const refusal = await sqliteStore({ path, clock }).catch((error: unknown) => error)
  expect(refusal instanceof StoreError && refusal.problem.code).toBe('store_newer')
  expect(db.prepare("SELECT value FROM meta WHERE key = 'schema'").get()).toMatchObject({ value: SCHEMA + 1 })
  db.close()
})
