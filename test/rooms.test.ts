import { execFileSync } from 'node:child_process'
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
  const arguments_ = ['src', '--config', '.dependency-cruiser.cjs', '--output-type', 'json']
  const options = {
    encoding: 'utf8',
    maxBuffer: 256 * 1024 * 1024,
    stdio: ['ignore', 'pipe', 'ignore'],
  } as const
  // With violations the tool exits with their number; what it printed is the answer all the same.
  try {
    return JSON.parse(execFileSync('node_modules/.bin/depcruise', arguments_, options))
  } catch (error) {
    if (error instanceof Error && 'stdout' in error && typeof error.stdout === 'string')
      return JSON.parse(error.stdout)
    throw error
  }
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
