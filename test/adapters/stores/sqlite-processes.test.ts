import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { sqliteStore } from '../../../src/adapters/stores/sqlite/store.ts'
import { address, ALICE, catalog } from '../../contracts/store-fixtures.ts'
import { Child, compileChild } from './children/run-child.ts'

let folder = ''
let forEver = ''
let extend = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-processes-'))
  forEver = await compileChild('commit-for-ever.ts', join(folder, 'a'))
  extend = await compileChild('open-and-extend.ts', join(folder, 'b'))
})
afterAll(() => rm(folder, { recursive: true }))

describe('a killed process', () => {
  test('leaves behind everything that it answered', async () => {
    const path = join(folder, 'killed', 'plasmid.db')
    const child = new Child(forEver, [path])
    const answered: { at: string; number: number }[] = []
    while (answered.length < 50) answered.push(JSON.parse(await child.line()))
    await child.kill()

    const store = await sqliteStore({ path, clock: Date })
    for (const [index, { at, number }] of answered.entries()) {
      expect((await store.findByRef(ALICE, { ordinal: index })).record?.address).toBe(at)
      expect((await store.read({ address: at, principal: ALICE }, 'effect', String(number)))?.body).toBe(
        String(index),
      )
    }
    expect(await store.model('d1')).toEqual(catalog('github'))
    await store.shutDown()
  })
})

describe('four processes on one file', () => {
  test('all create it at once and lose no wave', async () => {
    const path = join(folder, 'shared', 'plasmid.db')
    const children = ['a', 'b', 'c', 'd'].map((who) => new Child(extend, [path, who, '10']))
    const numbers = await Promise.all(
      children.map(async (child): Promise<number[]> => JSON.parse(await child.line())),
    )
    expect(await Promise.all(children.map((child) => child.ended()))).toEqual([0, 0, 0, 0])

    expect(numbers.flat().toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: 80 }, (_, index) => index + 1),
    )
    const store = await sqliteStore({ path, clock: Date })
    const { record, ordinal } = await store.findByAddress(ALICE, address('shared'))
    expect(record?.revision).toBe(40)
    expect(new Set(record?.waves.map((wave) => wave.picks[0]?.entities[0])).size).toBe(40)
    expect(ordinal).toBe(0)
    await store.shutDown()
  })
})
