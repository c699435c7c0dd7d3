import type { EntryStore } from '../execution/store.ts'
import type { SessionStore } from '../session/store.ts'

/** Everything that outlives a call, behind one door. Opened once, by `assemble`. */
export interface Store extends SessionStore, EntryStore {
  /** `sqlite`, `memory`, …: for people to read. */
  readonly kind: string
  /** Waits for what is under way and lets go of files and sockets. */
  shutDown(): Promise<void>
}
