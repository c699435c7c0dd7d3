import { readdirSync, readFileSync, statSync } from 'node:fs'
import { expect, test } from 'vitest'

/** Our own text files: code, catalogs, documents. */
const files = ['src', 'test', 'bench', 'docs', '.ci']
  .flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((name) => `${folder}/${name}`),
  )
  .concat(
    readdirSync('.').filter((name) => /\.(?:md|json|ts|cjs)$/.test(name) && name !== 'package-lock.json'),
  )
  // A client of other people is installed beside its test.
  .filter((path) => !path.includes('/node_modules/'))
  .filter((path) => statSync(path).isFile() && /(?:\.(?:ts|md|yaml|json|cjs|sh)|\/run)$/.test(path))
  .map((path) => ({ path, text: readFileSync(path, 'utf8') }))

/** `path:line` of every match in the files that `where` names. */
function found(where: RegExp, what: RegExp): string[] {
  return files
    .filter(({ path }) => where.test(path))
    .flatMap(({ path, text }) =>
      text.split('\n').flatMap((line, at) => (what.test(line) ? [`${path}:${at + 1}: ${line.trim()}`] : [])),
    )
}

test('files were found at all', () => {
  expect(files.filter(({ path }) => path.startsWith('src/')).length).toBeGreaterThan(50)
})

test('src has no TODO comments', () => {
  expect(found(/^src\//, /\b(?:TODO|FIXME|XXX|HACK)\b/)).toEqual([])
})

test('src does not use the console', () => {
  expect(found(/^src\//, /\bconsole\s*\./)).toEqual([])
})

// The lint forbids `Date` in the other files of the pure modules, and cannot tell this one.
test('the calendar does not read the clock', () => {
  expect(found(/^src\/base\/calendar\.ts$/, /\bnew Date\(\)|\bnew Date\b(?!\()|(?<!new )\bDate\(/)).toEqual(
    [],
  )
})

// A server that answers slowly may have a timer; a test that waits for one proves nothing and takes its time. The nightly
// proofs kill processes at random moments: those are of the clock.
test('no test waits for a timer', () => {
  const waits =
    /setTimeout.*timers\/promises|\bsleep\(|new Promise.*\bset(?:Timeout|Interval)\(|\bset(?:Timeout|Interval)\((?:resolve|done)\b/
  expect(found(/^test\/(?!nightly\/).*\.ts$/, waits)).toEqual([])
})

test('no test is skipped or exclusive', () => {
  expect(found(/\.test\.ts$/, /\b(?:test|it|describe)\.(?:only|todo|skip)\b/)).toEqual([])
})

test('no folder of src holds more than 20 files', () => {
  const folders = new Map<string, number>()
  for (const { path } of files) {
    if (!path.startsWith('src/')) continue
    const folder = path.slice(0, path.lastIndexOf('/'))
    folders.set(folder, (folders.get(folder) ?? 0) + 1)
  }
  expect([...folders].filter(([, count]) => count > 20)).toEqual([])
})

test('no path of one machine', () => {
  expect(found(/./, /(?<![\w.<}])\/(?:work|root|home\/\w+|Users\/\w+)\//)).toEqual([])
})

test('no source file is longer than 400 lines', () => {
  const long = files.filter(({ path, text }) => /^src\/.*\.ts$/.test(path) && text.split('\n').length > 400)
  expect(long.map(({ path }) => path)).toEqual([])
})

test('no text names registries, issues or other documents, or boasts', () => {
  const where = /^(?!test\/repository\.test\.ts$)(?!\.dependency-cruiser)/
  const registries = /registry\.(?:npmjs|yarnpkg)|\bverdaccio\b/i
  const numbers = /\b(?:issue|ticket|PR) ?#\d+|\bcloses #\d+/i
  const specifications = /(?<!shared\/)\bspec\/(?:sessions|catalog|language|libraries|mcp|hosts|hazards)\b/
  const boasts =
    /\b(?:seamless(?:ly)?|blazing(?:ly)?|world-class|cutting-edge|effortless(?:ly)?|game-chang\w+|revolution\w+|powerful)\b/i
  for (const what of [registries, numbers, specifications, boasts]) expect(found(where, what)).toEqual([])
})
