import { spawnSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'

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

function cruise(): Cruise {
  const { stdout, stderr } = spawnSync(
    'node_modules/.bin/depcruise',
    ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json'],
    { encoding: 'utf8', maxBuffer: 256 * 1024 * 1024 },
  )
  if (stdout === '') throw new Error(`dependency-cruiser said nothing: ${stderr}`)
  return JSON.parse(stdout)
}

const { modules, summary } = cruise()

test('rooms import what they may', () => {
  expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
})

// A tool that cannot read TypeScript sees nothing, finds nothing wrong and says so cheerfully.
test('every file under src was checked', () => {
  const checked = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'))
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
  expect(checked.toSorted()).toEqual(files.toSorted())
})
