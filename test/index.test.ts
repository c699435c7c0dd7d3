import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import * as plasmid from '../src/index.ts'

test('exports what the public list names', () => {
  expect(Object.keys(plasmid).toSorted()).toEqual([
    'GRAMMAR',
    'LOCAL_USER',
    'VERSION',
    'assemble',
    'readConfig',
  ])
})

test('has the version of the package', () => {
  const manifest: { readonly version: string } = JSON.parse(
    readFileSync(new URL('../package.json', import.meta.url), 'utf8'),
  )
  expect(plasmid.VERSION).toBe(manifest.version)
})
