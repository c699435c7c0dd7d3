import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as after } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { cases, SEED, report, reportProgress } from '../law-cases.ts'
import { RedisServer, whyNoRedis } from '../redis-server.ts'
import { type DepotApi, startDepotApi } from './depot-api.ts'
import { GOODS, writeDepot } from './depots.ts'
import { Reader } from './reader.ts'
import { Seeded } from './seeded.ts'
import { ServeProcess, type Setup, type Talk } from './servers.ts'

/*
 * Servers that are killed at any moment under clients at work. What was answered is there after the restart: the same
 * ref, the same symbols. What was not answered gives, when it is sent again word for word, every row that never arrived.
 */

const ROUNDS = cases(200, 2)
const CLIENTS = 4
const APIS = ['north', 'south']

let folder = ''
let api: DepotApi
let catalogs: readonly string[] = []

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'plasmid-kills-'))
  api = await startDepotApi()
  catalogs = await Promise.all(
    APIS.map((id) => writeDepot(join(folder, 'catalogs'), { id, edition: 1, origin: api.origin })),
  )
})
afterAll(async () => {
  await api.close()
  await rm(folder, { recursive: true, force: true })
})

interface Call {
  readonly intent: string
  readonly seeds: readonly { readonly api: string; readonly entity: string }[]
}

/** A session as its client knows it: from the answers that it received in full. */
interface Session {
  readonly intent: string
  readonly reader: Reader
  /** The context call that got no answer. */
  unanswered: Call | undefined
}

interface Tally {
  answered: number
  unanswered: number
  checked: number
}

/** Works until the server is gone: opens, extends, repeats, runs programs. */
async function work(talk: Talk, random: Seeded, sessions: Session[], name: string, tally: Tally) {
  for (;;) {
    const old = sessions.length > 0 && random.next(3) > 0
    const session = old
      ? random.pick(sessions)
      : { intent: `${name} ${sessions.length}`, reader: new Reader(), unanswered: undefined }
    if (!old) sessions.push(session)
    const call = session.unanswered ?? {
      intent: session.intent,
      seeds: [{ api: random.pick(APIS), entity: random.pick(GOODS) }],
    }
    session.unanswered = call
    const told = await talk.call('plasm_context', { ...call })
    expect(told.isError, told.text).toBe(false)
    session.unanswered = undefined
    session.reader.read(told.text)
    tally.answered++
    const symbol = random.pick([...session.reader.meanings().keys()])
    const run = await talk.call('plasm_run', {
      logical_session_ref: session.reader.ref ?? '',
      program: `${symbol}[id]`,
    })
    expect(run.text, symbol).toContain('(5 rows)')
  }
}

/** Everything that a client received holds; a call that got no answer gets one now. */
async function check(server: ServeProcess, talk: Talk, session: Session, tally: Tally): Promise<void> {
  const { reader } = session
  const ref = reader.ref
  if (ref !== undefined) {
    const { text } = await server.http('GET', `/v1/contexts/${ref}/table`)
    const rows = text.split('\n')
    for (const row of reader.rows()) expect(rows, `${session.intent} ${ref}: ${text}`).toContain(row)
  }
  if (session.unanswered) {
    const told = await talk.call('plasm_context', { ...session.unanswered })
    expect(told.isError, told.text).toBe(false)
    session.unanswered = undefined
    reader.read(told.text)
    tally.unanswered++
    if (ref !== undefined) expect(reader.ref).toBe(ref)
    const { text } = await server.http('GET', `/v1/contexts/${reader.ref ?? ''}/table`)
    expect(reader.rows().toSorted()).toEqual(
      text
        .split('\n')
        .filter((line) => /^e\d/.test(line))
        .toSorted(),
    )
  }
  tally.checked++
}

/** @param around the store, killed and started together with the server */
async function killAndCheck(setup: Setup, seed: number, around?: RedisServer): Promise<Tally> {
  const random = new Seeded(seed)
  const tally: Tally = { answered: 0, unanswered: 0, checked: 0 }
  const groups: Session[][] = Array.from({ length: CLIENTS }, () => [])
  let server = await ServeProcess.start(setup)
  let talk = await server.mcp()
  for (let round = 0; round < ROUNDS; round++) {
    const doomed = server
    const mine = talk
    let isDoomed = false
    const surprises: unknown[] = []
    const working = groups.map((sessions, client) =>
      work(mine, new Seeded(seed + round * 100 + client), sessions, `client ${client} session`, tally).catch(
        // That calls fail once the server is killed is what this is about.
        (error: unknown) => void ((!isDoomed || isAssertion(error)) && surprises.push(error)),
      ),
    )
    // A moment counted in answers, and some milliseconds: early and late in the work, whatever the machine's speed.
    const enough = tally.answered + random.next(16)
    for (let waited = 0; tally.answered < enough && waited < 500; waited++) await after(10)
    await after(random.next(60))
    const storeToo = around !== undefined && random.next(2) === 0
    isDoomed = true
    await Promise.all([doomed.kill(), storeToo && around.kill()])
    await Promise.all(working)
    expect(surprises).toEqual([])
    if (storeToo) await around.run()
    server = await ServeProcess.start(setup)
    talk = await server.mcp()
    const all = groups.flat()
    const recent = new Set([
      ...all.filter(({ unanswered }) => unanswered),
      ...all.slice(-10),
      ...all.slice(0, 2),
    ])
    for (const session of recent) await check(server, talk, session, tally)
    reportProgress('kills', round + 1, ROUNDS)
  }
  for (const session of groups.flat()) await check(server, talk, session, tally)
  await server.kill()
  expect(tally.answered).toBeGreaterThan(ROUNDS)
  return tally
}

function isAssertion(error: unknown): boolean {
  return error instanceof Error && error.name === 'AssertionError'
}

function reportTally(store: string, { answered, unanswered, checked }: Tally): void {
  report(
    `kills, ${store}`,
    `${ROUNDS} rounds, ${answered} context calls answered, ${unanswered} repeated after no answer, ${checked} sessions checked`,
  )
}

describe('a killed server', { timeout: 1_800_000 }, () => {
  test('on SQLite keeps what it answered', async () => {
    reportTally('sqlite', await killAndCheck({ dataDir: join(folder, 'sqlite'), catalogs }, SEED))
  })

  test.skipIf(whyNoRedis)('with its Redis keeps what it answered', async () => {
    const redis = await RedisServer.start([
      '--appendonly',
      'yes',
      '--appendfsync',
      'always',
      '--maxmemory-policy',
      'noeviction',
    ])
    try {
      const env = {
        PLASMID_SECRET: 'nightly-secret-that-every-node-of-it-is-given',
      }
      reportTally(
        'redis',
        await killAndCheck(
          { dataDir: join(folder, 'redis'), catalogs, flags: ['--store', redis.url], env },
          SEED + 1,
          redis,
        ),
      )
    } finally {
      await redis.stop()
    }
  })
})
