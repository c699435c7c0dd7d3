import type { Caller } from '../access/caller.ts'
import type { Gateway } from '../engine/contract.ts'

/** The gateway for callers whom no verifier meets at each call: what the operator changed holds from their next call on. */
export function refreshed(gateway: Gateway): Gateway {
  const first = async <Answer>(caller: Caller, work: () => Promise<Answer>) => {
    await caller.refresh?.()
    return work()
  }
  return {
    context: (caller, input, options) => first(caller, () => gateway.context(caller, input, options)),
    discover: (caller, input) => first(caller, () => gateway.discover(caller, input)),
    plan: (caller, input) => first(caller, () => gateway.plan(caller, input)),
    run: (caller, input, options) => first(caller, () => gateway.run(caller, input, options)),
    session: (caller, ref) => first(caller, () => gateway.session(caller, ref)),
    sessions: (caller) => first(caller, () => gateway.sessions(caller)),
    close: (caller, ref) => first(caller, () => gateway.close(caller, ref)),
    table: (caller, ref) => first(caller, () => gateway.table(caller, ref)),
    page: (caller, handle, options) => first(caller, () => gateway.page(caller, handle, options)),
    snapshot: (caller, uri) => first(caller, () => gateway.snapshot(caller, uri)),
    registry: (caller) => first(caller, () => gateway.registry(caller)),
  }
}
