import { mkdtemp, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KeptFile } from '../../../src/adapters/auth/kept-file.ts'
import { failed, ok } from '../../../src/base/diagnostic.ts'

/** Whole seconds, which every file system stores. */
const OLD = 1_000_000_000

test('a file of the same size and time that was written since is read again', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'plasmid-kept-')), 'policy')
  await writeFile(path, 'tenant: ops', { mode: 0o600 })
  await utimes(path, OLD, OLD)
  const file = new KeptFile<string>(path, ok, () => failed([]), { now: Date.now })
  expect(file.now()).toEqual(ok('tenant: ops'))
  await writeFile(path, 'tenant: opz')
  await utimes(path, OLD, OLD)
  expect(file.now()).toEqual(ok('tenant: opz'))
})
