import type { HttpWireOptions } from '../adapters/wire/http.ts'
import type { Wire } from '../execution/wire.ts'

type ClosableWire = Wire & { readonly shutDown: () => Promise<void> }

/** The client of HTTP APIs, loaded at the first call at the latest: most commands call no API. */
export function wireOnDemand(
  options: HttpWireOptions,
): ClosableWire & { readonly load: () => Promise<Wire> } {
  let loading: Promise<ClosableWire> | undefined
  let wire: ClosableWire | undefined
  const load = () =>
    (loading ??= import('../adapters/wire/http.ts').then(({ httpWire }) => (wire = httpWire(options))))
  return {
    load,
    send: async (call, limits) => (wire ?? (await load())).send(call, limits),
    shutDown: async () => (await loading)?.shutDown(),
  }
}
