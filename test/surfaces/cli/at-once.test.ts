import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { type HarbourApi, startHarbourApi } from '../../app/harbour-api.ts'
import { plasmidProcess } from '../plasmid-process.ts'

/* Commands that change one configuration at the same time. */

const NOTES = fileURLToPath(new URL('../../fixtures/mcp/notes-server.mjs', import.meta.url))

let api: HarbourApi
let data: string
beforeAll(async () => void (api = await startHarbourApi()))
afterAll(() => api.close())
beforeEach(() => {
  data = mkdtempSync(join(tmpdir(), 'plasmid-at-once-'))
  api.beforeDocument = async () => undefined
})
afterEach(() => rmSync(data, { recursive: true, maxRetries: 5 }))

const plasmid = (...args: readonly string[]) => {
  const at = args.indexOf('--')
  const [before, after] = at < 0 ? [args, []] : [args.slice(0, at), args.slice(at)]
  return plasmidProcess([...before, '--data-dir', data, '--no-shipped', ...after])
}
const add = (id: string) => plasmid('add', `${api.url}/openapi.json`, '--id', id, '--no-try')
const configText = () => readFileSync(join(data, 'plasmid.yaml'), 'utf8')
const ids = () => [...configText().matchAll(/- id: (\w+)/g)].map(([, id = '']) => id).toSorted()
const copy = (id: string) => join(data, 'catalogs', `${id}.yaml`)

test('each finds what the others wrote', async () => {
  const names = ['bay', 'cove', 'dock', 'ford']
  const added = await Promise.all(names.map(add))
  expect(added.map(({ code, stderr }) => [code, stderr])).toEqual(names.map(() => [0, '']))
  expect(ids()).toEqual(names)
  expect(readdirSync(data).toSorted()).toEqual(['catalogs', 'plasmid.yaml'])
})

test('one of two additions under one name is refused and leaves the other whole', async () => {
  const added = await Promise.all([add('bay'), add('bay')])
  expect(added.map(({ code }) => code).toSorted((a, b) => a - b)).toEqual([0, 1])
  expect(added.map(({ stderr }) => stderr).join('')).toMatch(/^catalog_exists: /)
  expect(ids()).toEqual(['bay'])
  expect(readFileSync(copy('bay'), 'utf8')).toBe(api.document)
})

test('a server that is slow to list overwrites nothing', { timeout: 60_000 }, async () => {
  const [started, go] = [join(data, 'started'), join(data, 'go')]
  const waits = `const { existsSync, writeFileSync } = require('node:fs')
    writeFileSync(${JSON.stringify(started)}, '')
    const look = () => (existsSync(${JSON.stringify(go)}) ? import(${JSON.stringify(NOTES)}) : setTimeout(look, 20))
    look()`
  const program = [process.execPath, '-e', waits, 'notes', join(data, 'notes.json')]
  const listed = plasmid('add', 'mcp', 'notes', '--no-try', '--', ...program)
  await expect.poll(() => existsSync(started), { timeout: 30_000 }).toBe(true)
  expect((await add('bay')).code).toBe(0)
  writeFileSync(go, '')
  expect((await listed).stderr).toBe('')
  expect([ids(), configText()]).toEqual([['bay'], expect.stringContaining('\n  notes:\n')])
})

test('a refresh whose document arrives late overwrites nothing newer', async () => {
  await add('bay')
  const old = api.document
  const newer = `${old}\n`
  let isFirst = true
  api.beforeDocument = async () => {
    if (!isFirst) return
    isFirst = false
    api.document = newer
    expect((await plasmid('catalog', 'refresh', 'bay')).code).toBe(0)
    api.document = old
  }
  const late = await plasmid('catalog', 'refresh', 'bay')
  expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/^catalog_replaced: /)])
  expect(readFileSync(copy('bay'), 'utf8')).toBe(newer)
})

test('a refresh of a catalog that is removed meanwhile leaves no copy', async () => {
  await add('bay')
  api.beforeDocument = async () => void (await plasmid('remove', 'bay'))
  const late = await plasmid('catalog', 'refresh', 'bay')
  expect([late.code, late.stderr]).toEqual([1, expect.stringMatching(/^catalog_replaced: /)])
  expect(existsSync(copy('bay'))).toBe(false)
})
