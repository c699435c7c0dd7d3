import { afterAll, beforeAll, expect, test } from 'vitest'
import { mcpStage, type McpStage } from './mcp-stage.ts'
import { type HostileWebServer, hostileWebServer } from './mcp-web-server.ts'

/*
 * MCP servers over HTTP that do harm, below `plasmid serve`: a clear error, bounded time and memory, and a neighbour, which
 * calls another server all the while, whose every answer is right and in time.
 */

/** A server as the settings name it. */
const serverAt = ({ url }: HostileWebServer) => ({
  url,
  headers: { authorization: 'Bearer secret' },
  reads: ['read'],
})

let elsewhere: HostileWebServer
let web: HostileWebServer
let stage: McpStage
beforeAll(async () => {
  elsewhere = await hostileWebServer()
  web = await hostileWebServer(elsewhere.url)
  stage = await mcpStage({ web: serverAt(web) })
}, 60_000)
afterAll(async () => {
  await stage.close()
  web.close()
  elsewhere.close()
})

const MEGABYTES = 300
const SECONDS = 20

test.each([
  ['an endless body', /mcp_bad_answer.*more than \d+ bytes/],
  ['a compressed bomb', /mcp_bad_answer.*more than \d+ bytes/],
  ['one endless event', /mcp_failed.*more than \d+ bytes/],
  ['endless events', /mcp_failed.*more than 20000 lines/],
  ['endless requests', /mcp_failed.*more than 20000 lines/],
  ['a stream that ends early', /mcp_failed.*ended the answer without a result/],
  ['an error 500', /mcp_failed.*error 500/],
  ['a web page', /mcp_bad_answer.*text\/html/],
  ['no JSON', /mcp_bad_answer.*not valid JSON/],
  ['deep data', /mcp_bad_answer.*nested too deeply/],
  ['a reset', /mcp_ended/],
  ['a redirect in a circle', /mcp_failed.*redirects to another address/],
  ['a redirect elsewhere', /mcp_failed.*redirects to another address/],
])(
  '%s',
  async (how, expected) => {
    const { run } = await stage.open('web', how)
    const { megabytes, slowest } = await stage.during(async () => {
      const ran = await run(`e1.read(how="${how}")`)
      expect(ran.text).toMatch(expected)
      expect(ran.seconds).toBeLessThan(SECONDS)
      expect((await run('e1.read(how="well")')).text).toContain('\nwell\n')
    })
    expect(megabytes).toBeLessThan(MEGABYTES)
    expect(slowest).toBeLessThan(SECONDS)
  },
  60_000,
)

test('a redirect takes neither the call nor its headers elsewhere', () => {
  expect(web.log).toContain('POST /mcp a redirect elsewhere')
  expect(elsewhere.log).toEqual([])
})

test('answers that never come, all at once', async () => {
  const acts = [
    'hang',
    'a body that never ends',
    'a silent stream',
    'a stream to ask for again',
    'no answer in it',
    'someone else',
  ]
  const impatient = await mcpStage({ web: serverAt(web) }, { call_limit: '4s' })
  const sessions = await Promise.all(acts.map((how) => impatient.open('web', how)))
  web.log.length = 0
  const { megabytes, slowest } = await impatient.during(async () => {
    const ran = await Promise.all(sessions.map(({ run }, at) => run(`e1.read(how="${acts[at]}")`)))
    for (const { text, seconds } of ran) {
      expect(text).toContain('The MCP server `web` did not answer within 4000 ms.')
      expect(seconds).toBeLessThan(SECONDS)
    }
    for (const { run } of sessions) expect((await run('e1.read(how="well")')).text).toContain('\nwell\n')
  })
  expect(megabytes).toBeLessThan(MEGABYTES)
  expect(slowest).toBeLessThan(SECONDS)
  // The stream asks for no pause between its ends: it is asked for again once a second, and only for the call that waits.
  expect(web.log.filter((line) => line.startsWith('GET'))).not.toHaveLength(0)
  expect(web.log.filter((line) => line.startsWith('GET')).length).toBeLessThan(15)
  await impatient.close()
}, 120_000)

test('tools that change are in the next table once a call is refused', async () => {
  const goal = 'tools that change'
  const { text, run } = await stage.open('web', goal)
  expect(text).toContain('e1.put(')
  web.tools = ['read', 'added']
  expect((await run('e1.put(how="well")')).text).toContain('there is no tool put')
  await expect.poll(async () => (await stage.open('web', goal)).text).toMatch(/\.added\(/)
  expect((await run('e1.put(how="well")')).text).toContain('dead_symbol')
  expect((await run('e2.added(how="well")')).text).toContain('\nwell\n')
}, 60_000)
