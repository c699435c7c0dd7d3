import type { EntryStore } from '../execution/store.ts'
import type { SessionStore } from '../session/store.ts'
import type { TranscriptStore } from './conversation/store.ts'

/** Everything that outlives a call, as one interface. Opened once, by `assemble`. */
export interface Store extends SessionStore, EntryStore {
  /** `sqlite`, `memory`, …: for people to read. */
  readonly kind: string
  readonly transcripts: TranscriptStore
  /** Waits for calls in progress and releases files and sockets. */
  shutDown(): Promise<void>
}
