import { once } from 'node:events'
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { spawn, spawnSync } from 'node:child_process'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { cleanEnv, PLASMID } from '../surfaces/plasmid-process.ts'
import { serve } from '../surfaces/server-process.ts'
import { SEEDS, SHOP } from '../surfaces/test-server.ts'
import { answer, openStage, type Stage, startRecordingApi, writesIn } from './shop-stage.ts'

/* What an answer says about a write is true: done, failed or unknown; never a reason to send it twice. */

let stage: Stage
beforeAll(async () => void (stage = await openStage()))
afterAll(() => stage.close())

/**
 * Reads first, so that the API is not left alone for its failures. Then runs a program from its plan, twice; gives the answers and how many writes the API received.
 */
async function ran(program: string, on = stage) {
  await on.run('e1("c1")[id]', await on.plan('e1("c1")[id]'))
  const plan = await on.plan(program)
  const before = writesIn(on.api.log).length
  const answered = await on.run(program, plan)
  const again = await on.run(program, plan)
  return { ...answered, again, writes: writesIn(on.api.log).length - before }
}

const REPEAT = /run it again|repeat the call|send it again/i

describe('a status that does not tell whether the write was done', () => {
  test.each([301, 302, 303, 408, 500, 502, 503, 504, 520, 521, 522, 523, 524, 525, 526, 527])(
    '%i is unknown, with the read that tells',
    async (status) => {
      stage.api.onWrite = (response) => answer(response, status, { message: 'so it is' })
      const { text, effects, codes, again, writes } = await ran('e1("c1").delete()')
      expect([effects.map(({ state }) => state), codes, writes]).toEqual([['unknown'], ['effect_unknown'], 1])
      expect(text).toContain('Read `e1("c1")`')
      expect(`${text}${again.text}`).not.toMatch(REPEAT)
      expect(again.effects.map(({ state }) => state)).toEqual(['unknown'])
    },
  )

  test('a connection that breaks is unknown too', async () => {
    stage.api.onWrite = (response) => void response.socket?.destroy()
    const { text, effects, writes } = await ran('e1("c1").update(name="Bo")')
    expect([effects.map(({ state }) => state), writes]).toEqual([['unknown'], 1])
    expect(text).toContain('Read `e1("c1")`')
    expect(text).not.toMatch(REPEAT)
  })

  test.each([400, 401, 403, 404, 409, 422, 429, 501])('%i was not done', async (status) => {
    stage.api.onWrite = (response) => answer(response, status, { message: 'no' })
    const { effects, writes } = await ran('e1("c1").delete()')
    expect([effects.map(({ state }) => state), writes]).toEqual([['failed'], 1])
  })
})

describe('a write with an idempotency key', () => {
  const program = 'Customer.create(name="Bo", email="bo@shop.example")'

  test('is sent once more with its key where its outcome would be unknown', async () => {
    let turns = 0
    stage.api.onWrite = (response) =>
      turns++ === 0 ? answer(response, 503) : answer(response, 201, { id: 'c2', name: 'Bo' })
    const { effects, codes, writes } = await ran(program)
    expect([effects.map(({ state }) => state), codes, writes]).toEqual([['done'], [], 2])
    const [first, second] = stage.api.keys.slice(-2)
    expect([first, second]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), first])
  })

  test('is unknown where the second answer does not tell either', async () => {
    for (const second of [503, 409, 429]) {
      let turns = 0
      stage.api.onWrite = (response) => answer(response, turns++ === 0 ? 503 : second)
      const { text, effects, writes } = await ran(program)
      expect([second, effects.map(({ state }) => state), writes]).toEqual([second, ['unknown'], 2])
      expect(text).toContain('Read `e1`')
    }
  })

  test('is sent once where the API rejects it', async () => {
    stage.api.onWrite = (response) => answer(response, 422)
    const { effects, writes } = await ran(program)
    expect([effects.map(({ state }) => state), writes]).toEqual([['failed'], 1])
  })
})

test('a catalog says what a status means', async () => {
  const catalog = join(await mkdtemp(join(tmpdir(), 'plasmid-hostile-')), 'shop')
  await cp(SHOP, catalog, { recursive: true })
  const domain = join(catalog, 'domain.yaml')
  const written = await readFile(domain, 'utf8')
  const said = written.replace(
    'kind: delete, entity: Customer }',
    'kind: delete, entity: Customer, status_outcomes: { 303: done, 503: not_done } }',
  )
  expect(said).not.toBe(written)
  await writeFile(domain, said)
  const own = await openStage({ catalog })
  for (const [status, state] of [
    [303, 'done'],
    [503, 'failed'],
    [500, 'unknown'],
  ] as const) {
    own.api.onWrite = (response) => answer(response, status)
    const { effects, writes } = await ran('e1("c1").delete()', own)
    expect([status, effects.map((effect) => effect.state), writes]).toEqual([status, [state], 1])
  }
  await own.close()
}, 30_000)

/* The store fails between the send of a change and the record of its outcome. */

/** Lets the server write no more files (as on a full disk), or write again. */
function limitFiles(pid: number, bytes: string) {
  return spawnSync('prlimit', ['--pid', String(pid), `--fsize=${bytes}`]).status === 0
}

const whyNoLimit =
  spawnSync('prlimit', ['--version']).status === 0 ? undefined : 'no prlimit(1) to take the disk away'

test.skipIf(whyNoLimit !== undefined)(
  'a known outcome is answered although the disk is full',
  async () => {
    let pid = 0
    const own = await openStage({
      start: async (...how) => {
        const served = await serve(...how)
        pid = served.pid
        return served
      },
    })
    own.api.onWrite = (response) => {
      expect(limitFiles(pid, '1:unlimited')).toBe(true)
      answer(response, 204)
    }
    const program = 'e1("c1").delete()'
    const plan = await own.plan(program)
    const { status, text, effects, codes } = await own.run(program, plan)
    expect([status, effects.map(({ state }) => state), codes]).toEqual([
      200,
      ['done'],
      ['effect_outcome_unrecorded', 'answer_not_kept'],
    ])
    expect(text).toContain('_Changes: 1 done._')
    expect(text).not.toMatch(REPEAT)
    limitFiles(pid, 'unlimited:unlimited')
    const later = await own.run(program, plan)
    expect(later.effects.map(({ state }) => state)).toEqual(['done'])
    expect(writesIn(own.api.log)).toHaveLength(1)
    await own.close()
  },
  60_000,
)

test.skipIf(whyNoRedis !== undefined)(
  'a known outcome is answered although Redis is gone',
  async () => {
    const redis = await RedisServer.start()
    const own = await openStage({
      flags: ['--store', redis.url],
      env: { PLASMID_SECRET: 'a-secret-that-all-nodes-of-this-test-are-given' },
    })
    own.api.onWrite = async (response) => {
      await redis.kill()
      answer(response, 422, { message: 'no' })
    }
    const program = 'e1("c1").delete()'
    const { text, effects, codes } = await own.run(program, await own.plan(program))
    expect([effects.map(({ state }) => state), codes]).toEqual([
      ['failed'],
      ['effect_outcome_unrecorded', 'rejected', 'answer_not_kept'],
    ])
    expect(text).not.toMatch(REPEAT)
    expect(writesIn(own.api.log)).toHaveLength(1)
    await own.close()
    await redis.stop()
  },
  120_000,
)

test('what is in flight at the end of standard input is answered', async () => {
  const api = await startRecordingApi()
  const dataDir = await mkdtemp(join(tmpdir(), 'plasmid-hostile-'))
  const args = [
    'mcp',
    '--data-dir',
    dataDir,
    '--no-shipped',
    '--catalog',
    SHOP,
    '--backend',
    `shop=${api.url}`,
  ]
  const child = spawn(process.execPath, [PLASMID, ...args], {
    env: cleanEnv(),
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const exit = once(child, 'exit')
  const lines: string[] = []
  const output = createInterface({ input: child.stdout })
  output.on('line', (line) => lines.push(line))
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  const call = (id: number, name: string, input: object) =>
    send({ id, method: 'tools/call', params: { name, arguments: input } })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 't', version: '1' } }
  send({ id: 1, method: 'initialize', params })
  await once(output, 'line')
  send({ method: 'notifications/initialized' })
  call(2, 'plasm_context', { intent: 'stdio', seeds: SEEDS })
  await once(output, 'line')
  const program = 'e1("c1").delete()'
  call(3, 'plasm', { logical_session_ref: 's0', program })
  await once(output, 'line')
  const arrived = new Promise<void>((resolve) => {
    api.onWrite = (response) => {
      // The answer leaves long after the end of the input was read.
      child.stdin.end(() => setTimeout(() => answer(response, 204), 500))
      resolve()
    }
  })
  call(4, 'plasm_run', { logical_session_ref: 's0', program, plan: 'pc1' })
  await arrived
  expect(await exit).toEqual([0, null])
  expect(lines.find((line) => line.includes('"id":4'))).toContain('_Changes: 1 done._')
  expect(writesIn(api.log)).toHaveLength(1)
  api.close()
}, 60_000)
