import { type Caller, visibilityOf } from '../access/caller.ts'
import type { World } from '../execution/executor.ts'
import type { Continuation } from '../execution/outcome.ts'
import { effectPolicyOf } from './effect-policy.ts'
import type { EffectBound } from './effects.ts'
import type { Parts } from './parts.ts'
import type { LiveSession } from './session-program.ts'
import type { Uses } from './uses.ts'

/**
 * The world that a run sees: the wire, the caller's rights as they are at each call, the ledger, and the pages of this
 * session.
 *
 * @param runName tells the effects of this run from those of every other
 * @param uses is told every capability that the run used
 */
export function worldOf(
  parts: Parts,
  caller: Caller,
  session: LiveSession,
  effects: readonly EffectBound[],
  runName: string,
  uses: Uses,
  signal: AbortSignal,
): World {
  const { allows } = visibilityOf(caller)
  return {
    wire: parts.wire,
    model: session.derived.model,
    budget: parts.budget,
    clock: parts.clock,
    signal,
    allows: (catalog, capability) => {
      const allowed = allows(catalog, capability)
      if (allowed) uses.add(catalog, capability)
      return allowed
    },
    ledger: ledgerOf(parts, caller, session, effects, runName),
    page: (handle) => readPageHandle(parts, session, handle),
    runId: [session.owner.address, session.owner.principal, runName].join('\n'),
  }
}

/** The effect ledger (law 9): an effect is written down before it is sent, and at most as many are sent as were reviewed. */
function ledgerOf(
  parts: Parts,
  caller: Caller,
  { owner }: LiveSession,
  effects: readonly EffectBound[],
  runName: string,
): World['ledger'] {
  const { store, limits } = parts
  const most = new Map(effects.map((effect) => [effect.node, effect.most]))
  const claimed = new Map<string, number>()
  const nameOf = ({ node, row }: { readonly node: string; readonly row: number }) =>
    `${runName}:${node}:${row}`
  return {
    claim: async (effect) => {
      if (effectPolicyOf(parts, caller, effect) === 'deny') return false
      const count = (claimed.get(effect.node) ?? 0) + 1
      if (count > (most.get(effect.node) ?? 0)) return false
      claimed.set(effect.node, count)
      const { catalog, capability } = effect
      return store.claim(
        owner,
        'effect',
        nameOf(effect),
        { catalog, capability, state: 'sent' },
        limits.effectLifeMs,
      )
    },
    settle: async (effect, state) => {
      await store.replace(owner, 'effect', nameOf(effect), 1, { state }, limits.effectLifeMs)
    },
  }
}

/** The continuation behind `s0_pg1` or `pg1`; nothing for a handle of another session. */
export async function readPageHandle(
  { store }: Parts,
  { owner, ref }: LiveSession,
  handle: string,
): Promise<Continuation | null> {
  const match = /^(?:(s\d+)_)?pg([1-9]\d{0,14})$/.exec(handle)
  if (!match?.[2] || (match[1] !== undefined && match[1] !== ref)) return null
  const entry = await store.read(owner, 'page', match[2])
  return entry ? (entry.body as unknown as { readonly continuation: Continuation }).continuation : null
}
