import { mkdtemp, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { expect, test } from 'vitest'
import { plasmid } from '../plasmid.ts'
import { plasmidProcess } from '../plasmid-process.ts'
import { SHOP } from '../test-server.ts'

const newDir = () => mkdtemp(join(tmpdir(), 'plasmid-degraded-'))

/** Options of Node for a process in which the package `libsql` cannot be loaded, as where its binary was not installed. */
async function withoutLibsql(): Promise<Record<string, string>> {
  const dir = await newDir()
  const [hooks, register] = [join(dir, 'hooks.mjs'), join(dir, 'register.mjs')]
  await writeFile(
    hooks,
    "export const resolve = (name, context, next) => { if (name === 'libsql') throw new Error(\"Cannot find module '@libsql/linux-x64-gnu'\"); return next(name, context) }",
  )
  await writeFile(
    register,
    `import { register } from 'node:module'\nregister(${JSON.stringify(pathToFileURL(hooks))})`,
  )
  return { NODE_OPTIONS: `--import ${pathToFileURL(register).href}` }
}

/** Not a literal: the types of Node 20 do not know the module. */
const SQLITE: string = 'node:sqlite'
const hasSqlite = await import(SQLITE).then(
  () => true,
  () => false,
)

test('without libsql, the SQLite of Node stores, or one line says what to do', async () => {
  const env = await withoutLibsql()
  const args = ['--data-dir', await newDir(), '--no-shipped', '--catalog', SHOP]
  const opened = await plasmidProcess(
    ['context', '--intent', 'x', '--seed', 'shop:Customer', ...args],
    '',
    env,
  )
  if (hasSqlite) expect(opened).toMatchObject({ code: 0, stdout: expect.stringMatching(/^`s0`/) })
  else
    expect(opened).toEqual({
      code: 1,
      stdout: '',
      stderr: `store_without_driver: Node ${process.versions.node} has no SQLite, and the package \`libsql\` cannot be loaded: Cannot find module '@libsql/linux-x64-gnu'. Use Node 22.13 or newer, install again with optional dependencies, or choose another store with \`--store\`.\n`,
    })
  const inMemory = await plasmidProcess(['sessions', ...args, '--store', 'memory'], '', env)
  expect(inMemory).toMatchObject({ code: 0, stdout: '_No sessions._\n' })
}, 60_000)

test('a catalog that does not exist stops the start', async () => {
  const nowhere = join(await newDir(), 'nowhere')
  const args = ['--data-dir', await newDir(), '--no-shipped', '--catalog', SHOP, '--catalog', nowhere]
  for (const command of ['serve', 'mcp', 'sessions'])
    expect([command, await plasmid([command, ...args])]).toEqual([
      command,
      {
        code: 1,
        stdout: '',
        stderr: `catalog_missing: There is no catalog at ${nowhere}. Correct the path of \`--catalog\`, or leave it out.\n`,
      },
    ])
})
