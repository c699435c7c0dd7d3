import type { Clock } from '../../base/clock.ts'
import type { Store } from '../../engine/store.ts'
import { composeStore } from './compose.ts'
import { MemoryEntries } from './memory/entries.ts'
import { MemorySessions } from './memory/sessions.ts'
import { MemoryTranscripts } from './memory/transcripts.ts'

/** A store in the memory of this process: for tests, demos and servers whose sessions need not survive a restart. */
export function memoryStore(options: { readonly clock: Clock }): Store {
  const sessions = new MemorySessions(options.clock)
  const transcripts = new MemoryTranscripts(options.clock)
  const entries = new MemoryEntries(options.clock, {
    isSession: (address) => sessions.has(address),
    otherBytes: (principal) => transcripts.bytesOf(principal),
  })
  return composeStore('memory', { sessions, entries, transcripts }, async () => {})
}
