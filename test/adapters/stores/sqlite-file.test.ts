import { copyFile, mkdtemp, readdir, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { StoreError } from '../../../src/adapters/stores/problems.ts'
import { whenFree } from '../../../src/adapters/stores/sqlite/busy.ts'
import { openDriver } from '../../../src/adapters/stores/sqlite/driver.ts'
import { SCHEMA } from '../../../src/adapters/stores/sqlite/schema.ts'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import type { Store } from '../../../src/engine/store.ts'
import { address, ALICE, HandClock, MONTH, opened } from '../../contracts/store-fixtures.ts'

let folder = ''
let path = ''
const clock = new HandClock()
const open = () => sqliteStore({ path, clock })

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-file-'))
  path = join(folder, 'state', 'plasmid.db')
})
afterEach(() => rm(folder, { recursive: true }))

async function refusal(work: Promise<unknown>): Promise<unknown> {
  const error = await work.then(
    () => undefined,
    (reason: unknown) => reason,
  )
  return error instanceof StoreError
    ? { code: error.problem.code, message: error.problem.message, retryable: error.retryable }
    : error
}

async function filled(sessions: number): Promise<void> {
  const store = await open()
  await commitMany(store, sessions)
  await store.shutDown()
}

async function commitMany(store: Store, sessions: number, label = 'P'): Promise<void> {
  await Promise.all(
    Array.from({ length: sessions }, (_, index) =>
      store.commit(ALICE, null, opened(address(`${label}${index}`), clock.now())),
    ),
  )
}

describe('a new file', () => {
  test('is for its owner only, as its folder is', async () => {
    const store = await open()
    await commitMany(store, 1)
    expect((await stat(join(folder, 'state'))).mode & 0o777).toBe(0o700)
    for (const name of await readdir(join(folder, 'state'))) {
      expect([name, (await stat(join(folder, 'state', name))).mode & 0o777]).toEqual([name, 0o600])
    }
    await store.shutDown()
  })

  test('outlives the store that made it', async () => {
    await filled(3)
    const store = await open()
    expect((await store.list(ALICE, 10)).map((item) => item.ordinal)).toEqual([2, 1, 0])
    await store.shutDown()
  })

  test('rejects writes after the shutdown', async () => {
    const store = await open()
    await store.shutDown()
    expect(await refusal(store.close(ALICE, address('A')))).toEqual({
      code: 'store_closed',
      message: `The store ${path} is closed.`,
      retryable: true,
    })
  })
})

describe('a file that changes under a running server', () => {
  const changes: Readonly<Record<string, () => Promise<void>>> = {
    'the file was deleted': () => rm(path),
    'its -wal file was deleted': () => rm(`${path}-wal`),
    'another file is in its place': async () => {
      await copyFile(path, `${path}.copy`)
      await rename(`${path}.copy`, path)
    },
    'it was truncated': () => truncate(path, 4096),
  }
  test.each(Object.keys(changes))('the next change is not acknowledged: %s', async (detail) => {
    const store = await open()
    await store.commit(ALICE, null, opened(address('A'), 0))
    await changes[detail]?.()
    const said = await refusal(store.commit(ALICE, null, opened(address('B'), 0)))
    expect(said).toEqual({
      code: 'store_file_replaced',
      message: `The store ${path} changed under the running server: ${detail}. Changes since then are lost.`,
      retryable: false,
    })
    await store.shutDown()
  })
})

describe('a file that is not what it should be', () => {
  test('empty: it is not treated as a new one', async () => {
    await filled(1)
    await truncate(path, 0)
    expect(await refusal(open())).toEqual({
      code: 'store_damaged',
      message: `The store ${path} is damaged: it is empty.`,
      retryable: false,
    })
  })

  test('cut off in the middle', async () => {
    await filled(500)
    await truncate(path, Math.floor((await stat(path)).size / 2 / 4096) * 4096)
    expect(await refusal(open())).toMatchObject({ code: 'store_damaged', retryable: false })
  })

  test('overwritten in the middle', async () => {
    await filled(500)
    const bytes = await readFile(path)
    bytes.fill(0xa5, bytes.length / 2, bytes.length / 2 + 3 * 4096)
    await writeFile(path, bytes)
    expect(await refusal(open())).toMatchObject({ code: 'store_damaged', retryable: false })
  })

  test('text', async () => {
    await filled(1)
    await writeFile(path, 'not a database at all, '.repeat(100))
    expect(await refusal(open())).toEqual({
      code: 'store_damaged',
      message: `The store ${path} is damaged: file is not a database.`,
      retryable: false,
    })
  })

  test('another program’s database: it stays unchanged', async () => {
    await filled(1)
    await rm(path)
    const other = await openDriver(path)
    other.exec('CREATE TABLE songs (title TEXT)')
    other.close()
    const before = await readFile(path)
    expect(await refusal(open())).toEqual({
      code: 'store_foreign',
      message: `The file ${path} is not a Plasmid store: it lacks our tables.`,
      retryable: false,
    })
    expect(await readFile(path)).toEqual(before)
  })

  test('lost, with its log left behind', async () => {
    await filled(1)
    await rm(path)
    await writeFile(`${path}-wal`, 'what was not yet in the file')
    expect(await refusal(open())).toEqual({
      code: 'store_damaged',
      message: `The store ${path} is damaged: only its -wal file is there.`,
      retryable: false,
    })
  })

  test.each(['', ':memory:', 'a\0b'])('%j is no path', async (wrong) => {
    expect(await refusal(sqliteStore({ path: wrong, clock }))).toMatchObject({ code: 'store_unusable' })
  })

  test('a folder', async () => {
    expect(await refusal(sqliteStore({ path: folder, clock }))).toEqual({
      code: 'store_unusable',
      message: `Cannot create the store at ${folder}: something else than a file is there.`,
      retryable: false,
    })
  })
})

describe('a newer schema', () => {
  test('is refused at the start and at each write', async () => {
    const store = await open()
    await commitMany(store, 1)
    const newer = await openDriver(path)
    newer.exec(`UPDATE meta SET value = ${SCHEMA + 1} WHERE key = 'schema'`)
    newer.close()
    const refused = {
      code: 'store_newer',
      message: `A newer Plasmid migrated the store ${path} to schema ${SCHEMA + 1}; this version supports schema ${SCHEMA}.`,
      retryable: true,
    }
    expect(await refusal(store.close(ALICE, address('P0')))).toEqual(refused)
    expect((await store.findByRef(ALICE, { ordinal: 0 })).record?.address).toBe(address('P0'))
    expect(await refusal(open())).toEqual(refused)
    await store.shutDown()
  })
})

describe('many writes', () => {
  test('sweep expired rows', async () => {
    const store = await open()
    const owner = { address: address('A'), principal: ALICE }
    await commitMany(store, 300)
    await Promise.all(
      Array.from({ length: 300 }, (_, index) =>
        store.append({ owner, kind: 'page', body: String(index), lifeMs: 1000 }),
      ),
    )
    clock.advance(MONTH)
    await commitMany(store, 700, 'Q')
    await commitMany(store, 200, 'R')
    const reader = await openDriver(path)
    const count = (table: string) => reader.prepare<{ n: number }>(`SELECT count(*) AS n FROM ${table}`).get()
    expect([count('sessions'), count('names'), count('entries')]).toMatchObject([
      { n: 900 },
      { n: 900 },
      { n: 0 },
    ])
    reader.close()
    await store.shutDown()
  })

  test('continue beside a reader that holds the file', async () => {
    const store = await open()
    const reader = await openDriver(path)
    reader.exec('BEGIN; SELECT * FROM meta')
    await commitMany(store, 50)
    expect(await store.list(ALICE, 100)).toHaveLength(50)
    reader.exec('COMMIT')
    reader.close()
    await store.shutDown()
  })

  test('copy the log into the file in a thread, however much is written', async () => {
    const store = await open()
    const owner = { address: address('A'), principal: ALICE }
    const body = JSON.stringify('x'.repeat(256 * 1024))
    for (let piece = 0; piece < 160; piece++)
      await store.claim({
        owner,
        kind: 'piece',
        name: String(piece),
        body,
        lifeMs: MONTH,
        isDeferred: true,
      })
    // Commits copy a log of 32 MiB themselves.
    expect((await stat(`${path}-wal`)).size).toBeLessThan(16 * 1024 * 1024)
    expect((await store.read(owner, 'piece', '159'))?.body).toBe(body)
    await store.shutDown()
    const again = await open()
    expect((await again.read(owner, 'piece', '0'))?.body).toBe(body)
    await again.shutDown()
  })

  test('give up on a writer that never finishes', async () => {
    const store = await open()
    const [holder, waiter] = [await openDriver(path), await openDriver(path)]
    holder.exec('BEGIN IMMEDIATE')
    expect(await refusal(whenFree(path, () => waiter.exec('BEGIN IMMEDIATE'), 20))).toEqual({
      code: 'store_busy',
      message: `The store ${path} stayed locked by another process for too long.`,
      retryable: true,
    })
    holder.close()
    waiter.close()
    await store.shutDown()
  })

  test('wait for another writer to finish', async () => {
    const store = await open()
    const other = await openDriver(path)
    other.exec('BEGIN IMMEDIATE')
    const waiting = commitMany(store, 10)
    setTimeout(() => other.exec('COMMIT'), 60)
    await waiting
    expect(await store.list(ALICE, 100)).toHaveLength(10)
    other.close()
    await store.shutDown()
  })
})
