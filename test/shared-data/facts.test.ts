import { describe, expect, test } from 'vitest'
import { FACTS, type Fact } from './facts/facts.ts'
import { MEANINGS } from './facts/meanings.ts'
import { DAG, MATRIX, PROGRAMS } from './facts/programs.ts'
import { RUNS } from './facts/runs.ts'
import { SOURCES } from './facts/sources.ts'
import { SURFACES } from './facts/surfaces.ts'
import type { Verdict } from './facts/verdict.ts'
import { sharedFactsNote, whyNoSharedFacts } from './shared-data.ts'

const VERDICTS = new Map<string, Verdict>(
  Object.entries({ ...SOURCES, ...PROGRAMS, ...MATRIX, ...DAG, ...MEANINGS, ...RUNS, ...SURFACES }),
)

/** What is wrong with the verdict on a fact. */
async function fault(fact: Fact): Promise<string | undefined> {
  const verdict = VERDICTS.get(fact.id)
  if (!verdict) return 'no verdict'
  if (verdict.kind === 'not applicable') return undefined
  const { proof } = verdict
  if (verdict.kind === 'held' && proof?.shows !== undefined && proof.shows !== fact.outcome)
    return `the fact says ${fact.outcome}, the proof shows ${proof.shows}`
  return proof?.of(fact.program)
}

describe.skipIf(whyNoSharedFacts)(`facts of the language${sharedFactsNote}`, () => {
  test('are all explained, as we are', { timeout: 120_000 }, async () => {
    const faults: string[] = []
    for (const fact of FACTS) {
      const found = await fault(fact)
      if (found !== undefined) faults.push(`${fact.id}: ${found}`)
    }
    expect(faults).toEqual([])
  })

  test('are the only ones with a verdict', () => {
    const known = new Set(FACTS.map(({ id }) => id))
    expect([...VERDICTS.keys()].filter((id) => !known.has(id))).toEqual([])
  })

  test('are mostly held', () => {
    const counts: Record<string, number> = {}
    for (const { kind } of VERDICTS.values()) counts[kind] = (counts[kind] ?? 0) + 1
    process.stdout.write(`${JSON.stringify(counts)}\n`)
    expect(counts['held']).toBeGreaterThan(FACTS.length / 2)
  })
})
