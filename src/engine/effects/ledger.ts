import { exceedsBytes } from '../../base/canonical.ts'
import { visibilityOf } from '../../access/caller.ts'
import type { Problem } from '../../base/diagnostic.ts'
import type { World } from '../../execution/world.ts'
import { keptCall } from '../../language/plan/rest.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import type { EffectBound } from './effects.ts'
import { overCapacity } from '../session/entries.ts'
import { fromKept, toKept } from '../session/kept.ts'
import type { EngineCall } from '../call.ts'
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

/** The loop that a run sends the rest of, and the rows of that loop in the order of the run's own. */
export interface RestOrigin {
  readonly run: string
  readonly node: string
  readonly rows: readonly number[]
}

/** A run as its lines name it. */
export interface RunLines {
  /** Unique. */
  readonly name: string
  readonly restOf?: RestOrigin | undefined
}

/** The run that a ledger is kept for. */
export interface LedgerRun extends RunLines {
  /** False once the run was declared cut off: it must send nothing more. */
  readonly isActive: () => Promise<boolean>
}

/** The name of the calls of a loop. */
export function loopName(run: string, node: string): string {
  return `${run}:${node}`
}

/**
 * The name of the line of an effect. A row of a rest has the line of the loop that it is a row of: however many plans cover it,
 * it is sent once.
 */
export function lineName({ name, restOf }: RunLines, node: string, row: number): string {
  const [run, loop, at] = restOf ? [restOf.run, restOf.node, restOf.rows[row]] : [name, node, row]
  return `${run}:${loop}:${at}`
}

/** The effect ledger: an effect is noted before it is sent, so that none is sent twice, and never more than were reviewed. */
export function ledgerOf(
  call: EngineCall,
  { owner }: LiveSession,
  effects: readonly EffectBound[],
  run: LedgerRun,
): World['ledger'] {
  const { store, limits, caller, unrecorded } = call
  const most = new Map(effects.map((effect) => [effect.node, effect.most]))
  const claimed = new Map<string, number>()
  const lines = new Map<string, { readonly line: Omit<LedgerLine, 'state'>; readonly version: number }>()
  const write = async (name: string, state: LedgerLine['state']) => {
    const held = lines.get(name)
    if (!held) throw new Error('an effect is settled that was not claimed')
    const body = toKept({ ...held.line, state })
    const { version } = held
    await store.replace({ owner, kind: 'effect', name, version, body, lifeMs: limits.effectLifeMs })
  }
  /** Writes it now, or where the store fails as soon as it answers again: the line still stands in the way of a second call. */
  const writeOrLater = async (name: string, state: LedgerLine['state']) => {
    try {
      await write(name, state)
    } catch (error) {
      unrecorded.add(owner, name, () => write(name, state))
      throw error
    }
  }
  return {
    begin: async (loop) => {
      const body = toKept({ ...loop, rows: loop.rows.map(keptCall) })
      if (exceedsBytes(body, limits.snapshotBytes) || (await overCapacity(call, owner))) return
      const name = loopName(run.name, loop.node)
      const { snapshotLifeMs: lifeMs, effectsPerSession: largest } = limits
      await store.claim({ owner, kind: 'loop', name, body, lifeMs, most: largest })
    },
    claim: async (effect) => {
      const { catalog, capability, called, identity } = effect
      // A right or a credential that was revoked a moment ago, on any node, must not be used.
      const lapsed = await rightsNow(call)
      if (lapsed) return lapsed
      const isAllowed = visibilityOf(caller).allows(catalog, capability)
      if (!isAllowed || effectPolicyOf(call, effect) === 'deny')
        return engineProblem('effect_denied', { called: `${catalog}.${called}` })
      const count = (claimed.get(effect.node) ?? 0) + 1
      if (count > (most.get(effect.node) ?? 0)) return false
      claimed.set(effect.node, count)
      const name = lineName(run, effect.node, effect.row)
      const line = { catalog, capability, ...(identity ? { identity } : {}) }
      const version = await claimLine(call, owner, name, line)
      if (typeof version === 'object') return version
      lines.set(name, { line, version })
      // Only now: a call that declares the run cut off after this check finds the line.
      try {
        if (await run.isActive()) return true
      } catch (error) {
        await writeOrLater(name, 'not_sent').catch(() => undefined)
        throw error
      }
      await writeOrLater(name, 'not_sent')
      return engineProblem('run_given_up', {})
    },
    settle: ({ node, row }, state) => writeOrLater(lineName(run, node, row), state),
  }
}

/** Claims the line of an effect that was not sent, and gives its version; `effect_repeated` for one that was. */
async function claimLine(
  { store, limits }: EngineCall,
  owner: LiveSession['owner'],
  name: string,
  line: Omit<LedgerLine, 'state'>,
): Promise<number | Problem> {
  const { effectLifeMs: lifeMs, effectsPerSession: most } = limits
  const sent = toKept({ ...line, state: 'sent' })
  if (await store.claim({ owner, kind: 'effect', name, body: sent, lifeMs, most })) return 1
  const entry = await store.read(owner, 'effect', name)
  if (!entry) return engineProblem('effects_full', { most })
  const { version } = entry
  const isUnsent = fromKept<LedgerLine>(entry).state === 'not_sent'
  const again = { owner, kind: 'effect', name, version, body: sent, lifeMs } as const
  if (isUnsent && (await store.replace(again))) return version + 1
  return engineProblem('effect_repeated', {})
}
