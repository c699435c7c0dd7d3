import { visibilityOf } from '../../access/caller.ts'
import type { World } from '../../execution/world.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import type { EffectBound } from './effects.ts'
import { toKept } from '../session/kept.ts'
import type { Call } from '../call.ts'
import { engineProblem } from '../problems.ts'
import { rightsNow } from '../session/admit.ts'
import type { LiveSession } from '../session/live-session.ts'

/** A line of the effect ledger, as it is kept. */
export interface LedgerLine {
  readonly catalog: string
  readonly capability: string
  /** The key slots of the entity that it was called on, if any. */
  readonly identity?: Readonly<Record<string, string>>
  /** `sent`: it was about to be sent, and its outcome was not noted. */
  readonly state: 'sent' | 'done' | 'failed' | 'unknown' | 'not_sent'
}

/** The run that a ledger is kept for. */
export interface LedgerRun {
  /** Unique: part of the name of each of its lines. */
  readonly name: string
  /** False once the run was declared cut off: it must send nothing more. */
  readonly isActive: () => Promise<boolean>
}

/** The name of the line of an effect. */
export function lineName(run: string, node: string, row: number): string {
  return `${run}:${node}:${row}`
}

/** The effect ledger: an effect is noted before it is sent, so that none is sent twice, and never more than were reviewed. */
export function ledgerOf(
  call: Call,
  { owner }: LiveSession,
  effects: readonly EffectBound[],
  run: LedgerRun,
): World['ledger'] {
  const { store, limits, caller } = call
  const most = new Map(effects.map((effect) => [effect.node, effect.most]))
  const claimed = new Map<string, number>()
  const lines = new Map<string, Omit<LedgerLine, 'state'>>()
  const write = (name: string, state: LedgerLine['state']) =>
    store.replace({
      owner,
      kind: 'effect',
      name,
      version: 1,
      body: toKept({ ...lines.get(name), state }),
      lifeMs: limits.effectLifeMs,
    })
  return {
    claim: async (effect) => {
      const { catalog, capability, identity } = effect
      // A right or a credential that was revoked a moment ago, on any node, must not be used.
      const lapsed = await rightsNow(call)
      if (lapsed) return lapsed
      const isAllowed = visibilityOf(caller).allows(catalog, capability)
      if (!isAllowed || effectPolicyOf(call, effect) === 'deny')
        return engineProblem('effect_denied', { capability })
      const count = (claimed.get(effect.node) ?? 0) + 1
      if (count > (most.get(effect.node) ?? 0)) return false
      claimed.set(effect.node, count)
      const name = lineName(run.name, effect.node, effect.row)
      const line = { catalog, capability, ...(identity && { identity }) }
      lines.set(name, line)
      const { effectLifeMs, effectsPerSession: largest } = limits
      const sent = toKept({ ...line, state: 'sent' })
      if (
        !(await store.claim({ owner, kind: 'effect', name, body: sent, lifeMs: effectLifeMs, most: largest }))
      ) {
        return (await store.read(owner, 'effect', name))
          ? engineProblem('effect_repeated', {})
          : engineProblem('effects_full', { most: largest })
      }
      // Only now: a call that declares the run cut off after this check finds the line.
      if (await run.isActive()) return true
      await write(name, 'not_sent')
      return engineProblem('run_given_up', {})
    },
    settle: async ({ node, row }, state) => void (await write(lineName(run.name, node, row), state)),
  }
}
