import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { beforeEach, expect, onTestFinished, test } from 'vitest'
import { underLock } from '../../../src/adapters/files/lock.ts'

let lock: string
beforeEach(async () => {
  const folder = await mkdtemp(join(tmpdir(), 'plasmid-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  lock = join(folder, 'config.lock')
})

test('works one after another', async () => {
  const log: string[] = []
  const work = (name: string) =>
    underLock(lock, async () => {
      log.push(name)
      await new Promise((done) => void setImmediate(done))
      log.push(name)
    })
  await Promise.all([work('a'), work('b'), work('c')])
  expect(log.filter((name, at) => at % 2 === 0 && name === log[at + 1])).toHaveLength(3)
  expect(existsSync(lock)).toBe(false)
})

test('is free again after work that fails', async () => {
  await expect(underLock(lock, () => Promise.reject(new Error('no')))).rejects.toThrow('no')
  expect(await underLock(lock, async () => 'done')).toBe('done')
})

test('of a process that ended is removed', async () => {
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  writeFileSync(lock, `${pid} ${hostname()}`)
  expect(await underLock(lock, async () => readdirSync(join(lock, '..')))).toEqual(['config.lock'])
})

test('of another machine is removed once it is old', async () => {
  writeFileSync(lock, `1 another-machine`)
  utimesSync(lock, 1, 1)
  expect(await underLock(lock, async () => 'done')).toBe('done')
})
