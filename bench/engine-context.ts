import { createHmac, createSecretKey } from 'node:crypto'
import { lengthPrefixed } from '../src/base/canonical.ts'
import { REPEATED, type BenchServer } from './server.ts'
import type { Contest } from './measure.ts'

/** `context` in process, against the least that could find a session: one HMAC-SHA256 and one `Map.get`. */
export function engineContext(server: BenchServer): Contest {
  const bytes = lengthPrefixed(['intent', '1', 'local', '', REPEATED.intent])
  const secret = createSecretKey(Buffer.alloc(32, 7))
  const address = () => createHmac('sha256', secret).update(bytes).digest('base64url')
  const sessions = new Map([[address(), REPEATED]])
  return {
    ours: async (calls) => {
      for (let call = 0; call < calls; call++) await server.gateway.context(server.caller, REPEATED)
    },
    base: (calls) => {
      for (let call = 0; call < calls; call++) sessions.get(address())
    },
    ...(server.store === 'memory' && { bound: 10 }),
  }
}
