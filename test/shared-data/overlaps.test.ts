import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LOCAL_USER } from '../../src/access/caller.ts'
import { type Golden, questions } from '../discovery/golden/halves.ts'
import { setOf } from '../discovery/golden/recall.ts'
import { testEngine } from '../engine/engines.ts'
import { sharedCatalogs, sharedDataNote, whyNoSharedData } from './shared-data.ts'

/* `overlaps` is told where a new session looks like an old one in other words, and hardly anywhere else. */

const set = whyNoSharedData ? undefined : await setOf(sharedCatalogs('catalogs').map(([, path]) => path))
const goals = ['unseen-questions.json', 'catalogs-of-others.json', 'practice-catalogs-of-others.json']
  .flatMap(questions)
  .filter((goal) => goal.expect.length > 0)

/** By the id of a question of the first two sets, the same goal in the words of another person; written before anything was measured. */
const REWORDINGS: Readonly<Record<string, string>> = JSON.parse(
  readFileSync(new URL('overlaps/rewordings.json', import.meta.url), 'utf8'),
)

type Goal = Pick<Golden, 'intent' | 'expect'>

/** `api:Entity`: one of each group that the goal needs. */
function picksOf(goal: Goal): string[] {
  return [...new Set(goal.expect.flatMap(([first = '']) => first))]
}

/** The entity that most goals of an API need: agents that read widely pick it with everything. */
const commonest = new Map<string, string>()
for (const pick of goals.flatMap(picksOf)) {
  const api = pick.split(':')[0] ?? ''
  const count = (name: string) => goals.filter((goal) => picksOf(goal).includes(name)).length
  if (count(pick) > count(commonest.get(api) ?? '')) commonest.set(api, pick)
}

/** A caller's sessions, one after another; gives the intents that each of them is said to overlap. */
function opener() {
  const engine = testEngine()
  if (set) engine.swap(set)
  const intents = new Map<string, string>()
  return async (goal: Goal): Promise<readonly string[]> => {
    const own = picksOf(goal)
    const apis = own.map((pick) => commonest.get(pick.split(':')[0] ?? '') ?? '')
    const seeds = [...new Set([...own, ...apis])].map((pick) => {
      const [api, entity] = pick.split(':')
      return { api, entity }
    })
    const reply = await engine.gateway.context(LOCAL_USER, { intent: goal.intent, seeds })
    if (!reply.ok) throw new Error(reply.text)
    intents.set(reply.facts.logicalSessionRef, goal.intent)
    const relations: unknown = reply.meta['relations'] ?? []
    if (!Array.isArray(relations)) throw new Error('no list of relations')
    return relations.map(({ logical_session_ref: ref }) => intents.get(String(ref)) ?? '')
  }
}

describe.skipIf(whyNoSharedData)(`sessions over catalogs by other authors${sharedDataNote}`, () => {
  test('of other goals are told of no overlap, 29 times of 30', { timeout: 120_000 }, async () => {
    const open = opener()
    const told: string[] = []
    for (const goal of goals) for (const other of await open(goal)) told.push(`${goal.intent} | ${other}`)
    expect(told.length, told.join('\n')).toBeLessThanOrEqual(goals.length / 30)
  })

  test('of the same goal in other words are told, 9 times of 10', { timeout: 120_000 }, async () => {
    const missed: string[] = []
    for (const [id, intent] of Object.entries(REWORDINGS)) {
      const goal = goals.find((one) => one.id === id)
      if (!goal) throw new Error(id)
      const open = opener()
      await open(goal)
      if (!(await open({ ...goal, intent })).includes(goal.intent)) missed.push(`${goal.intent} | ${intent}`)
    }
    expect(missed.length, missed.join('\n')).toBeLessThanOrEqual(Object.keys(REWORDINGS).length / 10)
  })
})
