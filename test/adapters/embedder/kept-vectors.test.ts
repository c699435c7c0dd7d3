import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { type KeptForm, KeptVectors } from '../../../src/adapters/embedder/sentences/kept-vectors.ts'

const FORM: KeptForm = { model: 'a model 1.0', dimensions: 4, most: 3 }
const vector = (...values: number[]) => Float32Array.from(values)
const newPath = () => join(mkdtempSync(join(tmpdir(), 'plasmid-vectors-')), 'vectors', 'kept.bin')

/** A file with the vectors of these texts. */
async function saved(...texts: readonly string[]): Promise<string> {
  const path = newPath()
  const kept = await KeptVectors.open(path, FORM)
  for (const text of texts) kept.set(text, vector(1, 0.5, 0, -0.25))
  await kept.save()
  return path
}

test('the vectors of texts survive a restart, rounded', async () => {
  const again = await KeptVectors.open(await saved('an order'), FORM)
  const [first = 0, ...others] = again.get('an order') ?? []
  expect(first).toBeCloseTo(1, 2)
  expect(others.map((value) => Math.round(value * 100))).toEqual([50, 0, -25])
  expect(again.get('another text')).toBeUndefined()
})

test('the file is for its owner, holds no text, and leaves no part behind', async () => {
  const path = await saved('an order')
  expect(statSync(path).mode & 0o777).toBe(0o600)
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700)
  expect(readFileSync(path, 'latin1')).not.toContain('order')
  expect(readdirSync(join(path, '..'))).toEqual(['kept.bin'])
})

test.each([
  ['is cut off', (bytes: Buffer) => bytes.subarray(0, -5)],
  ['lost a record', (bytes: Buffer) => Buffer.concat([bytes.subarray(0, 32), bytes.subarray(56)])],
  ['has another bit', (bytes: Buffer) => bytes.fill(bytes.readUInt8(60) ^ 1, 60, 61)],
  ['is empty', () => Buffer.alloc(0)],
  ['is something else', () => Buffer.from('{"vectors": []}'.repeat(20))],
])('a file that %s counts as empty and is replaced', async (_, damage) => {
  const path = await saved('an order', 'a customer')
  writeFileSync(path, damage(readFileSync(path)))
  const kept = await KeptVectors.open(path, FORM)
  expect(kept.get('an order')).toBeUndefined()
  kept.set('an order', vector(0, 0, 0, 1))
  await kept.save()
  expect((await KeptVectors.open(path, FORM)).get('an order')?.[3]).toBeCloseTo(1, 2)
})

test('the vectors of another model are not used', async () => {
  const path = await saved('an order')
  const other = await KeptVectors.open(path, { ...FORM, model: 'a model 1.1' })
  expect(other.get('an order')).toBeUndefined()
})

test('the texts used last are kept when there are too many', async () => {
  const path = newPath()
  const kept = await KeptVectors.open(path, FORM)
  for (const text of ['one', 'two', 'three']) kept.set(text, vector(1, 0, 0, 0))
  kept.get('one')
  kept.set('four', vector(1, 0, 0, 0))
  await kept.save()
  const again = await KeptVectors.open(path, FORM)
  expect(['one', 'two', 'three', 'four'].filter((text) => again.get(text))).toEqual(['one', 'three', 'four'])
})

test('a folder that cannot be written is no failure', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'plasmid-vectors-')), 'a-file')
  writeFileSync(file, '')
  const kept = await KeptVectors.open(join(file, 'kept.bin'), FORM)
  kept.set('an order', vector(1, 0, 0, 0))
  await expect(kept.save()).resolves.toBeUndefined()
  expect(kept.get('an order')?.[0]).toBeCloseTo(1, 2)
})
