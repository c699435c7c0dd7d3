import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../engine/store.ts'
import { MemoryEntries } from './memory/entries.ts'
import { MemorySessions } from './memory/sessions.ts'

/** A store that lives and dies with this process: for tests, demos and servers whose sessions need not survive them. */
export function memoryStore(options: { readonly clock: Clock }): Store {
  const sessions = new MemorySessions(options.clock)
  const entries = new MemoryEntries(options.clock)
  return {
    kind: 'memory',
    findByAddress: (principal, address) => sessions.findByAddress(principal, address),
    findByRef: (principal, ref) => sessions.findByRef(principal, ref),
    commit: (principal, previous, next) => sessions.commit(principal, previous, next),
    touch: (address, generation, rowExpiresAt, recordExpiresAt) =>
      sessions.touch(address, generation, rowExpiresAt, recordExpiresAt),
    list: (principal, limit) => sessions.list(principal, limit),
    close: (principal, address) => sessions.close(principal, address),
    keepModel: (digest, model) => sessions.keepModel(digest, model),
    model: (digest) => sessions.model(digest),
    mint: (owner, kind, body, lifeMs) => entries.mint(owner, kind, body, lifeMs),
    claim: (owner, kind, name, body, lifeMs) => entries.claim(owner, kind, name, body, lifeMs),
    read: (owner, kind, name) => entries.read(owner, kind, name),
    replace: (owner, kind, name, version, body, lifeMs) =>
      entries.replace(owner, kind, name, version, body, lifeMs),
    entries: (owner, kind, limit) => entries.entries(owner, kind, limit),
    shutDown: async () => {},
  }
}
