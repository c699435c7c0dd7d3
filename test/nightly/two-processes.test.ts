import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases, report, reportProgress } from '../law-cases.ts'
import { plasmidProcess } from '../surfaces/plasmid-process.ts'
import { GOODS, writeDepot } from './depots.ts'
import { Reader } from './reader.ts'
import { ServeProcess, stdioTalk, type Setup } from './servers.ts'

/* Processes that know nothing of each other, on one SQLite file. */

let folder = ''
let catalogs: readonly string[] = []
const APIS = ['east', 'north', 'south', 'west']

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-processes-'))
  catalogs = await Promise.all(APIS.map((id) => writeDepot(join(folder, 'catalogs'), { id, edition: 1 })))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** What a session may grow to, an entity a call. */
const PICKS = APIS.flatMap((api) => GOODS.map((entity) => ({ api, entity })))

describe('two processes on one file', { timeout: 1_200_000 }, () => {
  test('see each other at the next call', async () => {
    const setup: Setup = { dataDir: join(folder, 'shared'), catalogs }
    const [server, stdio] = await Promise.all([ServeProcess.start(setup), stdioTalk(setup)])
    const http = await server.mcp()
    const extensions = cases(10_000, 20)
    for (let made = 0; made < extensions; made++) {
      const turn = made % PICKS.length
      const [mine, other] = made % 2 === 0 ? [stdio, http] : [http, stdio]
      const intent = `shared ${Math.floor(made / PICKS.length)}`
      const told = await mine.call('plasm_context', { intent, seeds: [PICKS[turn]] })
      const row = `e${turn + 1}($)\t${PICKS[turn]?.api}.${PICKS[turn]?.entity}:`
      const rowAlone = `e${turn + 1}($)\t${PICKS[turn]?.entity}:`
      expect(told.text.includes(row) || told.text.includes(rowAlone), `extension ${made}: ${told.text}`).toBe(
        true,
      )
      const seen = await other.call('plasm_context', { intent, have: turn === 0 ? 'none' : `e${turn}` })
      expect(symbolsIn(seen.text), `extension ${made}: ${seen.text}`).toEqual([`e${turn + 1}`])
      reportProgress('two processes', made, extensions)
    }
    report('two processes', `${extensions} alternating extensions, each seen by the other at its next call`)
    await Promise.all([http.leave(), stdio.leave()])
    await server.kill('SIGTERM')
  })

  test('that start first at once share everything', async () => {
    const starts = cases(100, 3)
    const dataDir = join(folder, 'first')
    const flags = ['--no-shipped', '--data-dir', dataDir, ...catalogs.flatMap((path) => ['--catalog', path])]
    const ended = await Promise.all(
      Array.from({ length: starts }, () =>
        plasmidProcess(['context', '--intent', 'first', '--seed', 'north:Anvil', ...flags]),
      ),
    )
    // Another secret would be another address, and that another name.
    for (const { code, stdout, stderr } of ended) {
      expect([code, stderr]).toEqual([0, ''])
      expect(stdout).toMatch(/^`s0`\n/)
    }
    const files = await readdir(dataDir)
    expect(files.filter((name) => name.includes('secret'))).toEqual(['secret'])
    report('two processes', `${starts} first starts at once, one secret, one s0`)
  })
})

function symbolsIn(text: string): readonly string[] {
  const reader = new Reader()
  reader.read(text)
  return [...reader.meanings().keys()]
}
