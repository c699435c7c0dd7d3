import { spawnSync } from 'node:child_process'

interface Cruise {
  readonly modules: readonly { readonly source: string }[]
  readonly summary: {
    readonly violations: readonly {
      readonly from: string
      readonly to: string
      readonly rule: { readonly name: string }
    }[]
  }
}

/** Checks `src` in a folder against the import rules there. */
export function cruise(folder: string): Cruise {
  const { stdout, stderr } = spawnSync(
    'node_modules/.bin/depcruise',
    ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    { cwd: folder, encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  )
  if (stdout === '') throw new Error(`dependency-cruiser gave no output: ${stderr}`)
  return JSON.parse(stdout)
}
