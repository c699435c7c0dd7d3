import { context } from './context/context.ts'
import type { Gateway } from './contract.ts'
import { Conversations } from './conversation/conversations.ts'
import { discover } from './discover.ts'
import type { Parts } from './parts.ts'
import { Pipeline } from './pipeline.ts'
import { registry } from './registry.ts'
import { inPlace } from './run/in-place.ts'
import { page, snapshot } from './run/pages.ts'
import { plan } from './run/plan.ts'
import { run } from './run/run.ts'
import { close, session, sessions, sessionTable } from './session/sessions.ts'
import { runCounts } from './watch/events.ts'

export interface Engine {
  /** What every surface talks to. */
  readonly gateway: Gateway
  /** Transcripts of hosts that talk to this process. */
  readonly conversations: Conversations
  /** Prepares discovery over the current catalogs, where a model of sentences takes its time for that. */
  readonly prepareDiscovery: () => Promise<void>
  /** Resolves once no run is under way. */
  readonly settled: () => Promise<void>
}

/** The engine over these parts. */
export function createEngine(parts: Parts): Engine {
  const pipeline = new Pipeline(parts)
  const gateway: Gateway = {
    context: (caller, input, options) =>
      pipeline.serve(caller, {
        name: 'context',
        input,
        options,
        work: (call) => context(call, input, options),
        counts: ({ reused, revision }) => ({ reused, revision }),
      }),
    discover: (caller, input, options) =>
      pipeline.serve(caller, {
        name: 'discover',
        input,
        options,
        work: (call) => discover(call, input),
        counts: ({ rows }) => ({ rows: rows.length }),
      }),
    plan: (caller, input, options) =>
      pipeline.serve(caller, {
        name: 'plan',
        input,
        options,
        work: (call) => plan(call, input),
        counts: (facts) => ({ nodes: facts.plan.nodes.length }),
      }),
    run: (caller, input, options) =>
      pipeline.serveRun(caller, {
        name: 'run',
        input,
        options,
        work: (call) => inPlace(call, options.signal, () => run(call, input, options)),
        counts: runCounts,
        progress: options.progress,
      }),
    session: (caller, name) =>
      pipeline.serve(caller, { name: 'session', work: (call) => session(call, name) }),
    sessions: (caller) =>
      pipeline.serve(caller, {
        name: 'sessions',
        work: sessions,
        counts: (facts) => ({ sessions: facts.sessions.length }),
      }),
    close: (caller, ref) =>
      pipeline.serve(caller, {
        name: 'close',
        work: (call) => close(call, ref),
        counts: ({ closed }) => ({ closed }),
      }),
    table: (caller, ref) =>
      pipeline.serve(caller, { name: 'table', work: (call) => sessionTable(call, ref) }),
    page: (caller, handle, options) =>
      pipeline.serveRun(caller, {
        name: 'page',
        // A handle names its session.
        input: { logical_session_ref: handle.replace(/_.*$/s, '') },
        options,
        work: (call) => inPlace(call, options.signal, () => page(call, handle, options)),
        counts: runCounts,
      }),
    snapshot: (caller, uri) =>
      pipeline.serve(caller, { name: 'snapshot', work: (call) => snapshot(call, uri) }),
    registry: (caller, options) =>
      pipeline.serve(caller, { name: 'registry', options, work: async (call) => registry(call) }),
  }
  return {
    gateway,
    conversations: new Conversations(parts),
    prepareDiscovery: () => pipeline.prepareDiscovery(),
    settled: () => pipeline.settled(),
  }
}
