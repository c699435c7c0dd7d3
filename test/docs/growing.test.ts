import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { startTestServer } from '../surfaces/test-server.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')
const section = /^## Growing\n([^]*?)^## /m.exec(read('docs/operations.md'))?.[1] ?? ''

test('the metrics to watch are those that the server has', async () => {
  const server = await startTestServer({ log_level: 'silent' })
  const metrics = await (await server.send('GET', '/metrics')).text()
  await server.close()
  const named = [...section.matchAll(/`(plasmid_\w+)`/g)].map(([, name = '']) => name)
  expect(named.length).toBeGreaterThan(4)
  expect(named.filter((name) => !metrics.includes(`# TYPE ${name} `))).toEqual([])
})

/** The numbers in the last cell of the row about a contest. */
function boundsOf(contest: string): string[] {
  const row = section.split('\n').find((line) => line.startsWith(`| ${contest}`)) ?? ''
  return (
    row
      .split('|')
      .at(-2)
      ?.replaceAll(/\b\d+(?:th| MB)/g, '')
      .match(/\d+(?:\.\d+)?/g) ?? []
  )
}

test('the contests of the page are in the bench, with these bounds', () => {
  const main = read('bench/main.ts')
  const [http, stores, million] = ['http-context', 'stores', 'million-child'].map((name) =>
    read(`bench/${name}.ts`),
  )
  for (const [contest, bench, ...fields] of [
    ['context over HTTP / plain route', http, 'bound'],
    ['context over HTTP, SQLite / memory', stores, 'bound'],
    ['context in process / GET', stores, 'p50'],
    ['context in process, 30000 sessions / 30', stores, 'p50', 'p99'],
    ['1000000 sessions in a file', million, 'p50'],
  ]) {
    const bounds = boundsOf(contest ?? '')
    expect([contest, bounds.length]).toEqual([contest, fields.length])
    for (const [at, field] of fields.entries())
      expect(bench).toMatch(new RegExp(`\\b${field}: ${bounds[at]?.replace('.', '\\.')}(?![\\d.])`))
  }
  for (const name of ['context over HTTP / plain route', 'context over HTTP, SQLite / memory'])
    expect(main).toContain(`'${name}'`)
  expect(million).toContain('MAX_MB = 300')
  expect(section).toContain('300 MB')
})
