import type { HttpWireOptions } from '../adapters/wire/http.ts'
import type { Wire } from '../execution/wire.ts'

type ClosableWire = Wire & { readonly shutDown: () => Promise<void> }

/** The client of HTTP APIs, loaded at the first call: most commands call no API. */
export function wireOnDemand(options: HttpWireOptions): ClosableWire {
  let loading: Promise<ClosableWire> | undefined
  let wire: ClosableWire | undefined
  const load = async () => {
    const { httpWire } = await import('../adapters/wire/http.ts')
    return (wire = httpWire(options))
  }
  return {
    send: async (call, limits) => (wire ?? (await (loading ??= load()))).send(call, limits),
    shutDown: async () => (await loading)?.shutDown(),
  }
}
