import type { Wire, WireCall } from '../../src/execution/wire.ts'

/** The APIs of the depots, in this process: twenty of each good, whose labels say what was called. */
export function depotWire(calls?: string[]): Wire {
  return {
    send: async (call) => {
      const name = callName(call)
      calls?.push(name)
      const body = Array.from({ length: 20 }, (_, index) => ({
        id: `k${index + 1}`,
        label: name,
        state: 'stored',
        weight: 12.5 + index,
        arrived_on: '2026-03-04',
      }))
      return { ok: true, reply: { status: 200, headers: {}, body, bytes: 1000, requests: 1 } }
    },
  }
}

/** `north edition 1 GET /anvil` */
function callName({ catalog, method, target }: WireCall): string {
  const path = 'path' in target ? target.path : target.url
  return `${catalog.id} edition ${catalog.version} ${method} ${path}`
}
