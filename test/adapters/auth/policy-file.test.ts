import { execFileSync } from 'node:child_process'
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { policyFile } from '../../../src/adapters/auth/policy-file.ts'

const LOCAL = { from: 'local' } as const

async function opened(text: string) {
  const path = join(await mkdtemp(join(tmpdir(), 'plasmid-policy-')), 'policy.yaml')
  await writeFile(path, text)
  let now = 0
  const source = policyFile(path, { now: () => now })
  if (!source.ok) throw new Error(JSON.stringify(source.problems))
  const may = () => source.value.rightsOf(LOCAL).mayUseCatalog('shop')
  return { path, source: source.value, may, advance: (ms: number) => void (now += ms) }
}

test('takes a right back at the next call', async () => {
  const { path, source, may } = await opened('default: allow')
  expect(may()).toBe(true)
  await writeFile(path, 'callers: [{ from: local, catalogs: {} }]')
  await source.refresh()
  expect(may()).toBe(false)
})

test('takes a right back within one call', async () => {
  const { path, may, advance } = await opened('default: allow')
  await writeFile(path, 'default: deny')
  advance(50)
  expect(may()).toBe(false)
})

test('does not wait for a named pipe', async () => {
  const { path, source, may, advance } = await opened('default: allow')
  await rm(path)
  execFileSync('mkfifo', ['-m', '600', path])
  advance(50)
  expect(may()).toBe(false)
  await expect(source.refresh()).rejects.toThrow('plain file')
})

test('grants no rights if the file is broken', async () => {
  const { path, source, may, advance } = await opened('default: allow')
  for (const broken of ['default: [', 'defualt: allow', '']) {
    await writeFile(path, broken)
    advance(50)
    expect(may()).toBe(false)
    await expect(source.refresh()).rejects.toThrow(path)
  }
  await rm(path)
  await expect(source.refresh()).rejects.toThrow(path)
  expect(may()).toBe(false)
  await writeFile(path, '{"default":"allow"}')
  await source.refresh()
  expect(may()).toBe(true)
})

test.each(['', 'a: [', 'b: &x [1]\nc: *x'])('refuses to start with %j', async (text) => {
  const path = join(await mkdtemp(join(tmpdir(), 'plasmid-policy-')), 'policy.yaml')
  await writeFile(path, text)
  expect(policyFile(path, { now: () => 0 }).ok).toBe(false)
})

test('grants no rights while other users can write the file', async () => {
  const { path, source, may, advance } = await opened('default: allow')
  await chmod(path, 0o666)
  advance(50)
  expect(may()).toBe(false)
  await expect(source.refresh()).rejects.toThrow('chmod go-w')
  await chmod(path, 0o600)
  await source.refresh()
  expect(may()).toBe(true)
})
