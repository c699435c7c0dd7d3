import { expect, test } from 'vitest'
import { type Caller, callerOf, DEFAULT_RESOLUTION, LOCAL_USER } from '../../../src/access/caller.ts'
import type { Identity } from '../../../src/access/identity.ts'
import { EVERYTHING } from '../../../src/access/policy.ts'
import type { Wire } from '../../../src/execution/wire.ts'
import { testEngine } from '../engines.ts'

const of = (identity: Identity) => callerOf(identity, DEFAULT_RESOLUTION, () => EVERYTHING)

test.each<[string, Caller, string | undefined]>([
  ['the local user', LOCAL_USER, '["local"]'],
  ['a key', of({ from: 'key', subject: 'ann' }), '["key","subject","ann"]'],
  ['nobody in particular', of({ from: 'anonymous', name: 'x1' }), undefined],
])('a call is made for %s', async (_, caller, principal) => {
  const principals: unknown[] = []
  const wire: Wire = {
    send: async (call) => {
      principals.push(call.principal)
      return { ok: true, reply: { status: 200, headers: {}, body: null, bytes: 0, requests: 1 } }
    },
  }
  const { gateway } = testEngine({ wire })
  const opened = await gateway.context(caller, {
    intent: 'customers',
    seeds: [{ api: 'shop', entity: 'Customer' }],
  })
  const ref = opened.ok ? opened.facts.logicalSessionRef : ''
  const { signal } = new AbortController()
  await gateway.run(caller, { logical_session_ref: ref, program: 'e1("c1")' }, { signal })
  expect(principals).toEqual([principal])
})
