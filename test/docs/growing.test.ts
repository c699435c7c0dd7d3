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

test('the contests of the page are in the bench, with these bounds', () => {
  const main = read('bench/main.ts')
  for (const name of [
    'context over HTTP / plain route',
    'context over HTTP, SQLite / memory',
    'context in process / GET',
  ])
    expect([name, section.includes(`| ${name}`), main.includes(`'${name}'`)]).toEqual([name, true, true])
  expect(read('bench/http-context.ts')).toContain('bound: 1.2')
  expect(read('bench/stores.ts')).toMatch(/bound: 1\.25[^]*p50: 1\.5[^]*p50: 1\.3, p99: 1\.5/)
  expect(read('bench/million-child.ts')).toMatch(/MAX_MB = 300[^]*p50: 1\.3/)
})
