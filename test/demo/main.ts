import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { once } from 'node:events'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { countingProxy } from './counting-proxy.ts'
import { memoryConfig, PLASMID, startPlasmid, startShop, type Running } from './processes.ts'
import { shopData } from './shop-data.ts'
import { failure, note } from './show.ts'
import { tell } from './story.ts'

/*
 * Plasmid from end to end, on one machine and without a network: a real API (json-server), a real MCP server, the real server
 * by its command line, a real MCP client. Each claim is checked; the first that fails ends the demo with exit code 1.
 */

const keep = process.argv.includes('--keep')
const folder = await mkdtemp(join(tmpdir(), 'plasmid-demo-'))
const atEnd: (() => Promise<void> | void)[] = [() => rm(folder, { recursive: true, force: true })]
const starting = performance.now()

try {
  const shop = await startShop(folder, shopData())
  atEnd.unshift(() => shop.kill('SIGTERM'))
  const proxy = await countingProxy(shop.port)
  atEnd.unshift(proxy.close)

  const dataDir = join(folder, 'data')
  const config = await memoryConfig(folder)
  const engine = ['--data-dir', dataDir, '--backend', `bazaar=${proxy.origin}`, '--config', config]
  let server: Running | undefined
  const serve = async (port: string) => {
    const started = await startPlasmid(['--port', port, ...engine])
    server = started
    return started
  }
  atEnd.unshift(() => server?.kill('SIGTERM'))

  const first = await serve('0')
  const token = (await readFile(join(dataDir, 'token'), 'utf8')).trim()
  note(`The shop (json-server) is process ${shop.pid}, Plasmid is process ${first.pid} at ${first.url}`)
  await tell({ server: first, token, requests: proxy.requests, serve, stdio: [PLASMID, 'mcp', ...engine] })
  note(`\nAll claims hold (${((performance.now() - starting) / 1000).toFixed(1)} s).`)

  if (keep) {
    note('All processes keep running until Ctrl-C. Add one of these to the settings of an MCP client:')
    const http = { url: `${first.url}/mcp`, headers: { Authorization: `Bearer ${token}` } }
    note(JSON.stringify({ mcpServers: { plasmid: { type: 'http', ...http } } }, null, 2))
    note(
      JSON.stringify(
        { mcpServers: { plasmid: { command: process.execPath, args: [PLASMID, 'mcp', ...engine] } } },
        null,
        2,
      ),
    )
    await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')])
  } else note('`npm run demo -- --keep` keeps it running for your own client.')
} catch (error) {
  failure(error instanceof Error ? error.message : String(error))
  process.exitCode = 1
} finally {
  for (const end of atEnd) await end()
}
