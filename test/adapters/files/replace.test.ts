import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { createFile, replaceFile } from '../../../src/adapters/files/replace.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'plasmid-replace-'))
  onTestFinished(() => rm(path, { recursive: true }))
  return path
}

test('several writers of one file leave one whole text', async () => {
  const dir = await folder()
  const path = join(dir, 'new', 'config.yaml')
  const texts = Array.from({ length: 8 }, (_, at) => String(at).repeat(100_000))
  await Promise.all(texts.map((text) => replaceFile(path, text)))
  expect(texts).toContain(await readFile(path, 'utf8'))
  expect(await readdir(join(dir, 'new'))).toEqual(['config.yaml'])
  expect(((await stat(path)).mode & 0o777).toString(8)).toBe('600')
})

test('a file that cannot be replaced leaves no draft', async () => {
  const dir = await folder()
  await mkdir(join(dir, 'taken', 'by'), { recursive: true })
  await expect(replaceFile(join(dir, 'taken'), 'text')).rejects.toThrow('EISDIR')
  expect(await readdir(dir)).toEqual(['taken'])
})

test('drafts of killed processes go with the next write', async () => {
  const dir = await folder()
  const [left, fresh] = ['a.yaml.0123456789ab.draft', 'b.yaml.0123456789ab.draft']
  for (const name of [left, fresh]) await writeFile(join(dir, name), 'half')
  await utimes(join(dir, left), 1, 1)
  await replaceFile(join(dir, 'c.yaml'), 'whole')
  expect((await readdir(dir)).toSorted()).toEqual([fresh, 'c.yaml'])
})

test('a file is created once', async () => {
  const path = join(await folder(), 'key.json')
  await createFile(path, 'first')
  await expect(createFile(path, 'second')).rejects.toThrow('EEXIST')
  expect([await readFile(path, 'utf8'), await readdir(join(path, '..'))]).toEqual(['first', ['key.json']])
})
