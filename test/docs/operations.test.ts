import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { DEFAULT_LIMITS } from '../../src/engine/parts.ts'
import { DEFAULT_TRACE_LIMITS } from '../../src/engine/watch/traces.ts'
import { plasmid } from '../surfaces/plasmid.ts'
import { startTestServer, SHOP } from '../surfaces/test-server.ts'
import { settingsTable } from './settings-table.ts'

const file = new URL('../../docs/operations.md', import.meta.url)
const text = readFileSync(file, 'utf8')
const TABLE = /(?<=^\| Setting \| Environment .*\n\|[-|]+\n)(?:\|.*\n)+/m

test('the table of settings is current', () => {
  const current = text.replace(TABLE, () => settingsTable())
  if (process.env['WRITE_DOCS'] === '1') writeFileSync(file, current)
  expect(readFileSync(file, 'utf8')).toBe(current)
  expect(current).toContain('| `port` | `PLASMID_PORT` | `--port` | `7750` |')
})

test('every limit is the one in the code', () => {
  const { sessionsPerPrincipal, plansPerSession, pagesPerSession, snapshotsPerSession } = DEFAULT_LIMITS
  const { effectsPerSession, snapshotBytes, wavesPerSession, entitiesPerSession, bytesPerPrincipal } =
    DEFAULT_LIMITS
  const count = (number: number) => number.toLocaleString('en-US')
  for (const row of [
    `| sessions of a principal | ${count(sessionsPerPrincipal)} |`,
    `| waves and entities of a session | ${count(wavesPerSession)} and ${count(entitiesPerSession)} |`,
    `| plans of a principal in a session | ${count(plansPerSession)},`,
    `| pages | ${count(pagesPerSession)},`,
    `| snapshots | ${count(snapshotsPerSession)},`,
    `| bytes of a snapshot | ${snapshotBytes / 1024 / 1024} MiB |`,
    `| entries of the effect ledger | ${count(effectsPerSession)},`,
    `| total bytes of a principal in all sessions | ${bytesPerPrincipal / 1024 / 1024} MiB |`,
    `events of a trace | ${DEFAULT_TRACE_LIMITS.tracesPerPrincipal}; ${DEFAULT_TRACE_LIMITS.eventsPerTrace} |`,
  ])
    expect(text).toContain(row)
})

test('its commands run', async () => {
  const dir = await mkdtemp(join(tmpdir(), 'plasmid-operations-'))
  const env = { PLASMID_DATA_DIR: dir, PLASMID_PORT: '0', PLASMID_CATALOGS: SHOP, PLASMID_SHIPPED: 'false' }
  const blocks = [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].flatMap(([, block = '']) =>
    block.trimEnd().split('\n'),
  )
  expect(blocks.map((line) => line.split(' ')[0])).toEqual(['plasmid', 'plasmid', 'curl', 'sqlite3'])
  for (const line of blocks.filter((one) => one.startsWith('plasmid '))) {
    const { code, stderr } = await plasmid(line.split(' ').slice(1), '', env)
    expect([line, code, stderr]).toEqual([line, 0, ''])
  }
  const server = await startTestServer({ log_level: 'silent' })
  expect(blocks.find((line) => line.startsWith('curl '))).toMatch(/Bearer \$\(cat .+\/metrics$/)
  const answer = await server.send('GET', '/metrics')
  expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('plasmid_')])
  expect(spawnSync('sh', ['-n', '-c', blocks.join('\n')]).status).toBe(0)
  await server.close()
}, 60_000)
