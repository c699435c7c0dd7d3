import { mkdtemp, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { KeptFile } from '../../../src/adapters/auth/kept-file.ts'
import { failed, ok } from '../../../src/base/diagnostic.ts'

test('a file of the same size and time that was written since is read again', async () => {
  const path = join(await mkdtemp(join(tmpdir(), 'plasmid-kept-')), 'policy')
  await writeFile(path, 'tenant: ops', { mode: 0o600 })
  const { atime, mtime } = await stat(path)
  const file = new KeptFile<string>(path, ok, () => failed([]), { now: Date.now })
  expect(file.now()).toEqual(ok('tenant: ops'))
  await writeFile(path, 'tenant: opz')
  await utimes(path, atime, mtime)
  expect(file.now()).toEqual(ok('tenant: opz'))
})
