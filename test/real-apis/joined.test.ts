import { createRequire } from 'node:module'
import { rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Agent, Operator, rowsIn } from './agent.ts'
import { type ApiProcess, folderFor } from './api-process.ts'
import { startBlog } from './blog.ts'
import { POWERDNS_KEY, startPowerdns, whyNoPowerdns } from './powerdns.ts'

/* One program over three servers by other authors: a REST API, a GraphQL server and an MCP server. */

const MEMORY = join(
  createRequire(import.meta.url).resolve('@modelcontextprotocol/server-memory/package.json'),
  '../dist/index.js',
)
const note = whyNoPowerdns === undefined ? '' : ` (${whyNoPowerdns})`

describe.skipIf(whyNoPowerdns)(`one program${note}`, { timeout: 60_000 }, () => {
  const graph = join(folderFor('graph'), 'graph.jsonl')
  const memory = {
    command: process.execPath,
    args: [MEMORY],
    env: { MEMORY_FILE_PATH: graph },
    reads: 'annotated',
  }
  const operator = new Operator({ mcp_servers: { memory } })
  let servers: readonly ApiProcess[] = []
  let agent: Agent
  beforeAll(async () => {
    const [powerdns, blog] = await Promise.all([startPowerdns(), startBlog()])
    servers = [powerdns, blog]
    const key = operator.secret('powerdns.key', POWERDNS_KEY)
    await operator.add(`${powerdns.url}/api/docs`, '--auth', key, '--no-try')
    await operator.add('graphql', `${blog.url}/`, '--id', 'blog', '--no-try')
    agent = await operator.serve()
  }, 60_000)
  afterAll(async () => {
    await agent.close()
    await Promise.all(servers.map((server) => server.stop()))
    await operator.close()
    await rm(dirname(graph), { recursive: true })
  })

  test('joins the rows of two APIs, and writes them to an MCP server', async () => {
    const session = await agent.open('join', 'powerdns:Zone', 'blog:Author', 'memory:Entity', 'memory:Graph')
    for (const name of ['ada', 'bob'])
      await session.change(
        `Zone.create(server_id="localhost", name="${name}.example.", kind=Native, nameservers=["ns1.${name}.example."])`,
      )
    const program = [
      'zones = Author => Zone(server_id="localhost", id=_.domain)[name, kind, owner=_.name]',
      'made = zones => Entity.create(entities=[{name=_.owner, entityType="owner", observations=[_.name, _.kind]}])',
      'made[name, observations]',
    ].join('\n')
    expect(await session.plan(program)).toContain('memory')
    expect(rowsIn(await session.change(program))).toEqual([
      'Ada\t["ada.example.","Native"]',
      'Bob\t["bob.example.","Native"]',
    ])
    const kept = await session.read('graph = Graph.read()\nowners = graph.entities.sort(name)\nowners[name]')
    expect(rowsIn(kept)).toEqual(['Ada', 'Bob'])
  })
})
