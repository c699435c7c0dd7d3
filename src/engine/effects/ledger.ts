import { type Caller, visibilityOf } from '../../access/caller.ts'
import type { World } from '../../execution/world.ts'
import { effectPolicyOf } from './effect-policy.ts'
import type { EffectBound } from './effects.ts'
import { toKept } from '../session/kept.ts'
import type { Parts } from '../parts.ts'
import { engineProblem } from '../problems.ts'
import type { LiveSession } from '../session/live-session.ts'

/** A line of the effect ledger, as it is kept. */
export interface LedgerLine {
  readonly catalog: string
  readonly capability: string
  /** The key slots of what it was called on, where it was called on something. */
  readonly identity?: Readonly<Record<string, string>>
  /** `sent`: it was about to leave, and nobody noted what became of it. */
  readonly state: 'sent' | 'done' | 'failed' | 'unknown' | 'not_sent'
}

/** The run that a ledger is kept for. */
export interface LedgerRun {
  /** Tells its effects from those of every other run. */
  readonly name: string
  /** False once others were told that the run was cut off: then nothing more may leave. */
  readonly goesOn: () => Promise<boolean>
}

/** The name of the line of an effect. */
export function lineName(run: string, node: string, row: number): string {
  return `${run}:${node}:${row}`
}

/** The effect ledger (law 9): an effect is written down before it is sent, and at most as many are sent as were reviewed. */
export function ledgerOf(
  parts: Parts,
  caller: Caller,
  { owner }: LiveSession,
  effects: readonly EffectBound[],
  run: LedgerRun,
): World['ledger'] {
  const { store, limits } = parts
  const most = new Map(effects.map((effect) => [effect.node, effect.most]))
  const claimed = new Map<string, number>()
  const lines = new Map<string, Omit<LedgerLine, 'state'>>()
  const write = (name: string, state: LedgerLine['state']) =>
    store.replace(owner, 'effect', name, 1, toKept({ ...lines.get(name), state }), limits.effectLifeMs)
  return {
    claim: async (effect) => {
      const { catalog, capability, identity } = effect
      // A right that was taken back a moment ago, on whatever node, is not used.
      await caller.refresh?.()
      const isAllowed = visibilityOf(caller).allows(catalog, capability)
      if (!isAllowed || effectPolicyOf(parts, caller, effect) === 'deny')
        return engineProblem('effect_denied', { capability })
      const count = (claimed.get(effect.node) ?? 0) + 1
      if (count > (most.get(effect.node) ?? 0)) return false
      claimed.set(effect.node, count)
      const name = lineName(run.name, effect.node, effect.row)
      const line = { catalog, capability, ...(identity ? { identity } : {}) }
      lines.set(name, line)
      const { effectLifeMs, effectsPerSession: largest } = limits
      const sent = toKept({ ...line, state: 'sent' })
      if (!(await store.claim(owner, 'effect', name, sent, effectLifeMs, largest))) {
        return (await store.read(owner, 'effect', name))
          ? engineProblem('effect_repeated', {})
          : engineProblem('effects_full', { most: largest })
      }
      // Only now: whoever declares the run cut off from here on finds this line.
      if (await run.goesOn()) return true
      await write(name, 'not_sent')
      return engineProblem('run_given_up', {})
    },
    settle: async ({ node, row }, state) => void (await write(lineName(run.name, node, row), state)),
  }
}
