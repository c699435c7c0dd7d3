import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import { sqliteStore } from '../../src/adapters/stores/sqlite/store.ts'
import { storeContract } from './store-contract.ts'

let folder = ''
let opened = 0

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-store-'))
})
afterAll(() => rm(folder, { recursive: true }))

storeContract('sqlite', (clock) => sqliteStore({ path: join(folder, `${opened++}`, 'plasmid.db'), clock }))
