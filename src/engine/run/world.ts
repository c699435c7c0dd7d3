import { failed } from '../../base/diagnostic.ts'
import { whereOf } from '../../execution/invocation.ts'
import { sha256 } from '../../base/hash.ts'
import { Pace } from '../../base/slices/pace.ts'
import { longRef } from '../../session/identity.ts'
import type { World } from '../../execution/executor.ts'
import { effectPolicyOf } from '../session/effect-policy.ts'
import type { EffectBound } from '../effects/effects.ts'
import { ledgerOf, type LedgerRun } from '../effects/ledger.ts'
import { tellingRead } from '../effects/telling-read.ts'
import { engineProblem } from '../problems.ts'
import { admit } from '../session/admit.ts'
import type { PageHandles } from './page-handles.ts'
import type { EngineCall } from '../call.ts'
import type { LiveSession } from '../session/live-session.ts'
import type { Uses } from '../session/uses.ts'

/** What belongs to one run. */
interface RunState {
  /** The changes that it may make. */
  readonly effects: readonly EffectBound[]
  readonly ledgerRun: LedgerRun
  /** Collects every capability that it uses. */
  readonly uses: Uses
  readonly pages: PageHandles
  readonly signal: AbortSignal
}

/**
 * The world that a run sees: the wire, the caller's rights and the catalogs as they are at each request, the ledger, and the
 * pages of this session.
 */
export function worldOf(
  call: EngineCall,
  session: LiveSession,
  { effects, ledgerRun, uses, pages, signal }: RunState,
): World {
  return {
    wire: call.wire,
    ...mcpOf(call, session),
    model: session.derived.model,
    budget: call.budget,
    clock: call.clock,
    pace: new Pace(call.clock, call.pause),
    render: call.render,
    signal,
    admit: async (called) => {
      const admitted = await admit(call, called)
      if (!admitted.ok) return admitted
      const { catalog, capability, called: name } = whereOf(called)
      const isChange = called.capability.effect !== 'read'
      if (isChange && effectPolicyOf(call, { catalog, capability }) === 'deny')
        return failed([engineProblem('effect_denied', { called: `${catalog}.${name}` })])
      uses.add(catalog, capability)
      return admitted
    },
    ledger: ledgerOf(call, session, effects, ledgerRun),
    tellingRead: (entity, identity) => tellingRead(session, entity, identity),
    continueOnRefusal: (catalog) => call.loopPolicy(catalog) === 'continue',
    page: async (handle) => {
      const behind = await pages.read(handle)
      for (const [catalog, capability] of behind?.uses ?? []) uses.add(catalog, capability)
      return behind?.page ?? null
    },
    runId: [session.owner.address, session.owner.principal, ledgerRun.name].join('\n'),
    sessionId: [session.record.row.session, session.owner.principal].join('\n'),
  }
}

/** The MCP servers, for this session where the call takes place. */
function mcpOf({ mcp, caller, scope, watch }: EngineCall, { record }: LiveSession): Pick<World, 'mcp'> {
  if (!mcp) return {}
  const { workspaceId, workspaceRoot, trust } = scope
  // The long ref of an anonymous session is its credential: its servers get a name that leads to nothing.
  const sessionId = caller.isAnonymous ? `a_${sha256(record.address).slice(0, 32)}` : longRef(record.address)
  const servers = mcp({ sessionId, workspaceId, workspaceRoot, trust })
  return { mcp: watch.mcp(servers) }
}
