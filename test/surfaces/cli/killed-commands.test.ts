import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, watch } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { endWithUs } from '../../end-with-us.ts'
import { type HarbourApi, startHarbourApi } from '../../app/harbour-api.ts'
import { plasmid as plasmidHere } from '../plasmid.ts'
import { cleanEnv, PLASMID } from '../plasmid-process.ts'

/* What commands that are killed (SIGKILL) in the middle of their writes leave to the next ones. */

let api: HarbourApi
const data = mkdtempSync(join(tmpdir(), 'plasmid-killed-'))
beforeAll(async () => {
  api = await startHarbourApi()
  for (const folder of ['catalogs', 'keys']) await mkdir(join(data, folder), { mode: 0o700 })
})
afterAll(async () => {
  await api.close()
  rmSync(data, { recursive: true, maxRetries: 5 })
})

const here = (...args: readonly string[]) => plasmidHere([...args, '--data-dir', data], '')

/** Starts the built command and kills it at the n-th change of a file of the data directory; false if it ended before. */
async function killedAt(change: number, args: readonly string[]): Promise<boolean> {
  let seen = 0
  const whole = [PLASMID, ...args, '--data-dir', data]
  const child = spawn(process.execPath, whole, { env: cleanEnv(), stdio: 'ignore' })
  endWithUs(child)
  const onChange = () => void (++seen === change && child.kill('SIGKILL'))
  const watchers = ['.', 'catalogs', 'keys'].map((folder) => watch(join(data, folder), onChange))
  const [, signal] = await once(child, 'exit')
  for (const watcher of watchers) watcher.close()
  return signal === 'SIGKILL'
}

/** Everything that the configuration and the keys hold can be read: old or new, never half. */
async function isWhole(): Promise<void> {
  const listed = await here('list', '--no-shipped', '--json')
  expect([listed.code, listed.stderr]).toEqual([0, ''])
  const { entries }: { readonly entries: readonly { readonly errors?: readonly unknown[] }[] } = JSON.parse(
    listed.stdout,
  )
  expect(entries.flatMap(({ errors = [] }) => errors)).toEqual([])
  expect((await here('keys', 'list')).code).toBe(0)
}

const keyIds = () =>
  readdirSync(join(data, 'keys')).flatMap((name) => /^(\w{16})\.json$/.exec(name)?.[1] ?? [])

test('they leave the old state or the new one, and nothing that stays', { timeout: 240_000 }, async () => {
  const address = `${api.url}/openapi.json`
  const [, other] = [api.document, `${api.document}\n`]
  await here('add', address, '--id', 'kept', '--no-try')
  const commands: readonly (() => Promise<readonly string[]>)[] = [
    async () => ['add', address, '--id', 'bay', '--no-try'],
    async () => {
      api.document = api.document === other ? other.trimEnd() : other
      return ['catalog', 'refresh', 'kept']
    },
    async () => {
      await here('add', address, '--id', 'gone', '--no-try')
      return ['remove', 'gone']
    },
    async () => ['keys', 'add', '--subject', 'ann'],
    async () => {
      await here('keys', 'add', '--subject', 'bob')
      return ['keys', 'revoke', keyIds()[0] ?? '']
    },
  ]
  let kills = 0
  for (const command of commands)
    for (let change = 1; change <= 4; change++) {
      if (!(await killedAt(change, await command()))) break
      kills++
      await isWhole()
      await here('remove', 'bay')
    }
  expect(kills).toBeGreaterThan(8)
  // A minute later, what was left in the middle of a write goes with the next command.
  for (const folder of ['.', 'catalogs', 'keys'])
    for (const name of readdirSync(join(data, folder)))
      if (name.endsWith('.draft')) utimesSync(join(data, folder, name), 1, 1)
  await here('add', address, '--id', 'bay', '--no-try')
  await here('keys', 'add', '--subject', 'cid')
  expect(readdirSync(data).toSorted()).toEqual(['catalogs', 'keys', 'plasmid.yaml'])
  expect(readdirSync(join(data, 'keys')).filter((name) => !/^\w{16}\.json$/.test(name))).toEqual([])
  const copies = readdirSync(join(data, 'catalogs'))
  expect(copies.filter((name) => !/^\w+\.yaml$/.test(name))).toEqual([])
  expect(readFileSync(join(data, 'plasmid.yaml'), 'utf8')).toContain('- id: kept\n')
})
