import { appendFile, cp, mkdtemp, readdir, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { prepared, preparedReading } from '../../../src/adapters/catalogs/prepared.ts'
import { settled } from '../../../src/adapters/catalogs/settled.ts'
import { settledInThisThread } from '../../../src/adapters/catalogs/settled-in-this-thread.ts'

const HOME = 'src/adapters/catalogs/shipped'

/** A copy of a shipped catalog, with its reading beside it as the build writes it. */
async function built(id: string) {
  const home = await mkdtemp(join(tmpdir(), 'plasmid-prepared-'))
  const path = join(home, id)
  await cp(join(HOME, id), path, { recursive: true })
  const file = `${path}.json`
  await writeFile(file, await prepared(await settledInThisThread({ path })))
  return { path, file }
}

test('a kept reading is what reading the files gives', async () => {
  for (const id of await readdir(HOME)) {
    const { path, file } = await built(id)
    expect(await preparedReading(path, file)).toStrictEqual(await settledInThisThread({ path }))
  }
})

test('a catalog whose file changed is read anew', async () => {
  const { path, file } = await built('bazaar')
  await appendFile(join(path, 'domain.yaml'), 'oddity: 1\n')
  expect(await preparedReading(path, file)).toBeUndefined()
  const { warnings } = await settled({ path, prepared: file })
  expect(warnings.map(({ message }) => message)).toEqual([expect.stringContaining('oddity')])
})

test('a reading with a problem is not kept', async () => {
  const { path } = await built('bazaar')
  await appendFile(join(path, 'domain.yaml'), 'oddity: 1\n')
  await expect(prepared(await settledInThisThread({ path }))).rejects.toThrow('oddity')
})
