import { expect } from 'vitest'
import type { Reply, RunFacts } from '../../src/engine/contract.ts'
import type { EffectOutcome } from '../../src/execution/outcome.ts'

/** Every effect as the answer names it must be what its API saw, and nothing was written twice. */
export function expectTruth(reply: Reply<RunFacts>, writes: readonly string[], where: string): void {
  expect(writes.length, `${where}: ${writes.join()}`).toBe(new Set(writes).size)
  if (!reply.facts) throw new Error(`${where}: ${reply.text}`)
  const told = new Map(reply.facts.effects.map((effect) => [pathOf(effect), effect.state]))
  for (const write of writes)
    expect(['done', 'unknown'], `${where}: ${write}\n${reply.text}`).toContain(told.get(write))
  for (const [write, state] of told)
    if (state === 'done') expect(writes, `${where}: ${write}\n${reply.text}`).toContain(write)
  for (const { state, problem } of reply.facts.effects)
    if (state === 'unknown') expect(problem?.next, `${where}: ${reply.text}`).toMatch(/e\d\("k\d"\)/)
}

function pathOf({ capability, row }: EffectOutcome): string {
  return capability === 'anvil_touch' ? `POST /anvil/k${row + 1}/touch` : 'POST /drum/k9/touch'
}
