import { randomUUID } from 'node:crypto'
import { beforeEach, expect, test } from 'vitest'
import { LOCAL_USER } from '../../../src/access/caller.ts'
import { memoryStore } from '../../../src/adapters/stores/memory.ts'
import type { Secrets } from '../../../src/base/hash.ts'
import type { Reply } from '../../../src/engine/contract.ts'
import { DEFAULT_LIMITS } from '../../../src/engine/parts.ts'
import type { Store } from '../../../src/engine/store.ts'
import { testEngine, type TestEngine } from '../engines.ts'

const SEEDS = [{ api: 'shop', entity: 'Customer' }]
const DAY = 24 * 3_600_000

let now: number
let store: Store
beforeEach(() => {
  now = 1_000_000
  store = memoryStore({ clock: { now: () => now } })
})

/** A node of the deployment, as it was started with these secrets. */
const node = (...secrets: Secrets): TestEngine =>
  testEngine({ store, secrets, clock: { now: () => now }, newId: randomUUID })
const open = (engine: TestEngine, intent = 'goal', more: object = {}) =>
  engine.gateway.context(LOCAL_USER, { intent, seeds: SEEDS, ...more })
const longRef = (reply: Reply<{ readonly longRef: string }>) => (reply.ok ? reply.facts.longRef : reply.text)
const UNCHANGED = /^`s0`\n\n_Session unchanged/

test('a session outlives the secret that it was opened under', async () => {
  const begun = await open(node('old'))
  const rotating = await open(node('new', 'old'))
  expect([rotating.text, longRef(rotating)]).toEqual([expect.stringMatching(UNCHANGED), longRef(begun)])
  // The old secret is gone for good: what was used meanwhile is still found.
  const after = await open(node('new'))
  expect([after.text, longRef(after)]).toEqual([expect.stringMatching(UNCHANGED), longRef(begun)])
  const again = await open(node('newest', 'new'))
  expect(longRef(again)).toBe(longRef(begun))
  expect(longRef(await open(node('newest')))).toBe(longRef(begun))
})

test('new sessions use the newest secret', async () => {
  const made = await open(node('new', 'old'), 'another goal')
  expect(longRef(await open(node('new'), 'another goal'))).toBe(longRef(made))
  expect(longRef(await open(node('old'), 'another goal'))).not.toBe(longRef(made))
})

test('nodes in any step of the change find one session', async () => {
  const refs = []
  const steps: Secrets[] = [['old'], ['old', 'new'], ['new', 'old'], ['old', 'new'], ['new']]
  for (const secrets of steps) refs.push(longRef(await open(node(...secrets))))
  expect(new Set(refs).size).toBe(1)
  const opened = longRef(await open(node('new', 'old'), 'later'))
  expect(longRef(await open(node('old', 'new'), 'later'))).toBe(opened)
})

test('refs and intents name the same session still', async () => {
  await open(node('old'))
  const steps: Secrets[] = [['new', 'old'], ['new']]
  for (const secrets of steps) {
    const both = { logical_session_ref: 's0' }
    expect((await open(node(...secrets), 'goal', both)).text).toMatch(UNCHANGED)
    const other = await open(node(...secrets), 'another goal', both)
    expect(other.ok ? [] : other.problems.map(({ code }) => code)).toEqual(['intent_names_another_session'])
    await open(node(...secrets))
  }
})

test('seeds without an intent name it too', async () => {
  const byPicks = (engine: TestEngine) =>
    engine.gateway.context(LOCAL_USER, { seeds: SEEDS }, { withoutIntent: true })
  const begun = await byPicks(node('old'))
  expect(longRef(await byPicks(node('new', 'old')))).toBe(longRef(begun))
  expect(longRef(await byPicks(node('new')))).toBe(longRef(begun))
})

test('a session that was closed is not found again', async () => {
  const begun = await open(node('old'))
  await open(node('new', 'old'))
  await node('new').gateway.close(LOCAL_USER, 's0')
  const anew = await open(node('new', 'old'))
  expect(anew.text).toMatch(/^`s1`\n\n```tsv\n/)
  expect(longRef(anew)).not.toBe(longRef(begun))
  expect(longRef(await open(node('new')))).toBe(longRef(anew))
})

test('its alias lasts as long as it is used', async () => {
  const begun = await open(node('old'))
  await open(node('new', 'old'))
  for (let month = 0; month < 4; month++) {
    now += DEFAULT_LIMITS.recordLifeMs - DAY
    expect(longRef(await open(node('new')))).toBe(longRef(begun))
  }
  now += DEFAULT_LIMITS.recordLifeMs
  expect(longRef(await open(node('new')))).not.toBe(longRef(begun))
})
