import { readdirSync } from 'node:fs'
import { expect, test } from 'vitest'
import { cruise } from './cruise.ts'

const { modules, summary } = cruise('.')

test('modules import what they may', () => {
  expect(summary.violations.map(({ from, to, rule }) => `${rule.name}: ${from} -> ${to}`)).toEqual([])
})

// A tool that cannot read TypeScript finds no files, and so no violations.
test('every file under src was checked', () => {
  const checked = modules.map(({ source }) => source).filter((source) => source.startsWith('src/'))
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `src/${name}`)
  expect(checked.toSorted()).toEqual(files.toSorted())
})
