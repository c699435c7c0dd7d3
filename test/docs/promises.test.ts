import { existsSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

const page = new URL('../../docs/security.md', import.meta.url)
const ROW =
  /^\| (?<promise>[^|]+) \| (?<mechanism>[^|]+) \| `(?<title>[^`]+)` in \[[^\]]+\]\((?<file>[^)]+)\) \|$/

interface Row {
  readonly promise: string
  readonly title: string
  readonly file: string
}

function rowsOf(text: string): readonly Row[] {
  const section = /^## Promises\n([^]*)/m.exec(text)?.[1] ?? ''
  const lines = section.split('\n').filter((line) => line.startsWith('| ') && !line.startsWith('| promise |'))
  return lines.map((line) => {
    const { promise = line, title = '', file = '' } = ROW.exec(line)?.groups ?? {}
    return { promise, title, file }
  })
}

/** Rows whose test is not there: a test or `it` with exactly this title. */
function broken(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ title, file }) => {
    const path = new URL(file, page)
    const text = file.endsWith('.test.ts') && existsSync(path) ? readFileSync(path, 'utf8') : ''
    const quoted = title.replaceAll("'", String.raw`\'`)
    const titles = [`('${quoted}'`, `("${title}"`, `(\`${title}\``, `\n  '${quoted}'`]
    return title === '' || !titles.some((start) => text.includes(start))
  })
}

test('each promise of the security page has its test', () => {
  const rows = rowsOf(readFileSync(page, 'utf8'))
  expect(rows.length).toBeGreaterThan(30)
  expect(broken(rows)).toEqual([])
  expect(new Set(rows.map(({ promise }) => promise)).size).toBe(rows.length)
})

test('a promise without a test is noticed', () => {
  const rows = [
    { promise: 'a', title: 'no such title', file: '../test/docs/promises.test.ts' },
    { promise: 'b', title: 'a promise without a test is noticed', file: '../test/docs/gone.test.ts' },
    { promise: 'c', title: 'a promise without a test is noticed', file: '../test/docs/promises.test.ts' },
  ]
  expect(broken(rows).map(({ promise }) => promise)).toEqual(['a', 'b'])
})
