import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { SHOP } from '../surfaces/test-server.ts'
import { answer, openStage, type Stage, writesIn } from './shop-stage.ts'

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
