import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { hostileServer, mcpStage, type McpStage } from './mcp-stage.ts'

/*
 * MCP servers over stdio that do harm, below `plasmid serve`: a clear error, bounded time and memory, and a neighbour, which
 * calls another server all the while, whose every answer is right and in time.
 */

const LIAR = fileURLToPath(new URL('../fixtures/mcp/lying-server.mjs', import.meta.url))

let stage: McpStage
beforeAll(async () => {
  const liar = { command: process.execPath, args: [LIAR, 'odd'], reads: ['list_rows'] }
  const file = join(mkdtempSync(join(tmpdir(), 'plasmid-changing-')), 'changed')
  stage = await mcpStage({ hostile: hostileServer(), changing: hostileServer('', file), liar })
}, 60_000)
afterAll(() => stage.close())

const MEGABYTES = 300
const SECONDS = 20

describe('what a server does in a call', () => {
  test.each([
    ['noise', /after noise/],
    ['two answers', /\nfirst\n/],
    ['an endless log', /logged/],
    ['half an answer', /mcp_ended.*exit code 3/],
    ['deep data', /mcp_ended.*nested too deeply/],
    ['a huge answer', /mcp_answer_too_large.*20000039 bytes/],
    ['one endless line', /mcp_ended.*a line of more than/],
    ['endless noise', /mcp_ended.*lines that are no answer/],
    ['endless notifications', /mcp_ended.*messages that are no answer/],
    ['endless answers', /mcp_ended.*messages that are no answer/],
    ['endless requests', /mcp_ended.*messages that are no answer/],
  ])(
    '%s',
    async (how, expected) => {
      const { run } = await stage.open('hostile', how)
      const { megabytes, slowest } = await stage.during(async () => {
        const ran = await run(`e1.read(how="${how}")`)
        expect(ran.text).toMatch(expected)
        expect(ran.seconds).toBeLessThan(SECONDS)
        // The next call of the same session starts the server again, after a short rest.
        await expect.poll(async () => (await run('e1.read(how="well")')).text).toContain('\nwell\n')
      })
      expect(megabytes).toBeLessThan(MEGABYTES)
      expect(slowest).toBeLessThan(SECONDS)
    },
    60_000,
  )
})

test('servers that answer nothing', async () => {
  const impatient = await mcpStage({ hostile: hostileServer() }, { call_limit: '4s' })
  const silent = await Promise.all(['hang', 'mute'].map((how) => impatient.open('hostile', how)))
  const { slowest } = await impatient.during(async () => {
    const [hung, muted] = await Promise.all(
      silent.map(({ run }, at) => run(`e1.read(how="${['hang', 'mute'][at]}")`)),
    )
    for (const ran of [hung, muted]) {
      expect(ran?.text).toContain('The MCP server `hostile` did not answer within 4000 ms.')
      expect(ran?.seconds).toBeLessThan(SECONDS)
    }
    for (const { run } of silent)
      await expect.poll(async () => (await run('e1.read(how="well")')).text).toContain('\nwell\n')
  })
  expect(slowest).toBeLessThan(SECONDS)
  await impatient.close()
}, 120_000)

test('a session that ends the server again and again takes it from no other session', async () => {
  const harmful = await stage.open('hostile', 'harmful')
  const other = await stage.open('hostile', 'another')
  expect((await other.run('e1.read(how="well")')).text).toContain('\nwell\n')
  for (let times = 0; times < 3; times++) await harmful.run('e1.read(how="half an answer")')
  expect((await harmful.run('e1.read(how="well")')).text).toContain('mcp_resting')
  expect((await other.run('e1.read(how="well")')).text).toContain('\nwell\n')
  const third = await stage.open('hostile', 'a third')
  expect((await third.run('e1.read(how="well")')).text).toContain('\nwell\n')
}, 60_000)

test('a change whose server dies is unknown, and is not sent again', async () => {
  const { run } = await stage.open('hostile', 'a change')
  const ran = await run('e1.put(how="half an answer")')
  expect(ran.text).toContain('_Changes: 1 unknown (sent, no answer: read before doing it again)._')
  expect(ran.text).toMatch(/effect_unknown.*exit code 3/)
}, 60_000)

test('tools that change are in the next table, and a call of one that is gone is not sent', async () => {
  const goal = 'tools that change'
  const { text, run } = await stage.open('changing', goal)
  expect(text).toContain('e1.put(')
  const other = await stage.open('changing', 'another goal')
  expect((await run('e1.read(how="other tools")')).text).toContain('changed')
  await expect.poll(async () => (await stage.open('changing', goal)).text).toMatch(/\.added\(/)
  expect((await run('e1.put(how="well")')).text).toContain('dead_symbol')
  expect((await run('e2.read(how="well")')).text).toContain('\nwell\n')
  // A session that was taught before keeps what did not change.
  expect((await other.run('e1.read(how="well")')).text).toContain('\nwell\n')
}, 60_000)

describe('a server that lies about its schema', () => {
  test.each([
    ['right', /\na\t1\n/],
    ['text', /unexpected_answer/],
    ['other', /unexpected_answer/],
    ['mixed', /\nb\t/],
    ['empty', /unexpected_answer/],
    ['nothing', /mcp_failed.*no message of the protocol/],
    ['shape', /mcp_bad_answer/],
  ])('%s', async (how, expected) => {
    const { run } = await stage.open('liar', 'rows', 'Row')
    const ran = await run(`e1.list_rows(how="${how}")[id,size]`)
    expect(ran.text).toMatch(expected)
  })
})
