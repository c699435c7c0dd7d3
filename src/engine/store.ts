import type { EntryStore } from './entry-store.ts'
import type { SessionStore } from '../session/store.ts'
import type { TranscriptStore } from './conversation/store.ts'

/**
 * What the engine stores: sessions, entries and transcripts. Opened once, by `assemble`. Keys, policies and logins are not its
 * own: adapters keep them in files, or in texts that nodes share.
 */
export interface Store extends SessionStore, EntryStore {
  /** `sqlite`, `memory`, …: for people to read. */
  readonly kind: string
  readonly transcripts: TranscriptStore
  /** Waits for calls in progress and releases files and sockets. */
  shutDown(): Promise<void>
}
