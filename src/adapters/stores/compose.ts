import type { TranscriptStore } from '../../engine/conversation/store.ts'
import type { Store } from '../../engine/store.ts'
import type { EntryStore } from '../../engine/entry-store.ts'
import type { SessionStore } from '../../session/store.ts'

interface Parts {
  readonly sessions: SessionStore
  readonly entries: EntryStore
  readonly transcripts: TranscriptStore
}

/** One store of the three that it consists of. */
export function composeStore(
  kind: string,
  { sessions, entries, transcripts }: Parts,
  shutDown: () => Promise<void>,
): Store {
  return {
    kind,
    transcripts,
    findByAddress: (principal, address) => sessions.findByAddress(principal, address),
    findByRef: (principal, ref) => sessions.findByRef(principal, ref),
    commit: (principal, previous, next, most) => sessions.commit(principal, previous, next, most),
    touch: (address, generation, rowExpiresAt, recordExpiresAt) =>
      sessions.touch(address, generation, rowExpiresAt, recordExpiresAt),
    markDelivered: (principal, address, revision) => sessions.markDelivered(principal, address, revision),
    list: (principal, limit) => sessions.list(principal, limit),
    close: (principal, address) => sessions.close(principal, address),
    keepModel: (digest, model) => sessions.keepModel(digest, model),
    model: (digest) => sessions.model(digest),
    append: (entry) => entries.append(entry),
    claim: (entry) => entries.claim(entry),
    read: (owner, kindOf, name) => entries.read(owner, kindOf, name),
    replace: (entry) => entries.replace(entry),
    entries: (owner, kindOf, limit) => entries.entries(owner, kindOf, limit),
    holdsBytes: (principal, most) => entries.holdsBytes(principal, most),
    shutDown,
  }
}
