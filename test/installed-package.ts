import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { text } from 'node:stream/consumers'

/**
 * A program of an npm package, installed beside the tests where it is missing: one that is no dependency of ours. Without a
 * registry the reason why there is none; in CI that is a failure.
 *
 * @param folder holds the `package.json` that names the package
 * @param program its path below `node_modules`
 * @param flags of `npm install`
 */
export async function installedPackage(
  folder: string,
  program: string,
  ...flags: readonly string[]
): Promise<{ readonly path: string; readonly why: string }> {
  const path = join(folder, 'node_modules', program)
  if (existsSync(path)) return { path, why: '' }
  const quiet = ['--no-engine-strict', '--ignore-scripts', '--no-audit', '--no-fund']
  const npm = spawn('npm', ['install', '--no-save', ...quiet, ...flags, '--prefix', folder], {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = await text(npm.stderr)
  if (existsSync(path)) return { path, why: '' }
  const name = basename(folder)
  if (process.env['CI']) throw new Error(`${name} cannot be installed: ${said}`)
  return { path: '', why: `npm cannot install ${name} here` }
}
