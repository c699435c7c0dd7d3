import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'

const FOLDER = fileURLToPath(new URL('acpx', import.meta.url))
const ACPX = join(FOLDER, 'node_modules/acpx/dist/cli.js')

/**
 * The program of acpx, installed where it is missing: it asks for a newer Node than `engines` of this project, whose own
 * installation would refuse it. Without a registry the reason why there is none; in CI that is a failure.
 */
export async function installedAcpx(): Promise<{ readonly path: string; readonly why: string }> {
  if (existsSync(ACPX)) return { path: ACPX, why: '' }
  const flags = ['--no-engine-strict', '--ignore-scripts', '--omit=optional', '--no-audit', '--no-fund']
  const npm = spawn('npm', ['install', '--no-save', ...flags, '--prefix', FOLDER], {
    cwd: FOLDER,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = await text(npm.stderr)
  if (existsSync(ACPX)) return { path: ACPX, why: '' }
  if (process.env['CI']) throw new Error(`acpx cannot be installed: ${said}`)
  return { path: '', why: 'npm cannot install it here' }
}
