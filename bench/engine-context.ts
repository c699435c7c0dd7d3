import { createHmac, createSecretKey } from 'node:crypto'
import { lengthPrefixed } from '../src/base/canonical.ts'
import { REPEATED, type House } from './house.ts'
import type { Contest } from './measure.ts'

/** `context` in process, against the least that could find a session: one HMAC-SHA256 and one look into a map. */
export function engineContext(house: House): Contest {
  const bytes = lengthPrefixed(['intent', '1', 'local', '', REPEATED.intent])
  const secret = createSecretKey(Buffer.alloc(32, 7))
  const address = () => createHmac('sha256', secret).update(bytes).digest('base64url')
  const sessions = new Map([[address(), REPEATED]])
  return {
    name: 'context in process / HMAC and Map.get',
    store: house.store,
    ours: async (calls) => {
      for (let call = 0; call < calls; call++) await house.gateway.context(house.caller, REPEATED)
    },
    base: (calls) => {
      for (let call = 0; call < calls; call++) sessions.get(address())
    },
    ...(house.store === 'memory' && { bound: 10 }),
  }
}
