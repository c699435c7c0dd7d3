import { randomBytes, randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { MemorySessions } from '../src/adapters/stores/memory/sessions.ts'
import type { SessionRecord } from '../src/session/record.ts'
import { startServer, REPEATED } from './server.ts'

/*
 * Gives each principal ten sessions, as agents do, and sends the size of the process once nothing is left to collect. The first
 * ones are opened by calls, so that all that a server keeps besides is full; the rest are written into its store as copies with
 * identities of their own: a million calls take twenty minutes.
 */

/** More than any cache of the server holds. */
const BY_CALLS = 12_000
const OF_A_PRINCIPAL = 10

/** What the server commits. */
interface Committed {
  readonly store: MemorySessions
  readonly record: SessionRecord
}
let committed: Committed | undefined

// oxlint-disable-next-line typescript/unbound-method -- called for the store that it is given
const { commit } = MemorySessions.prototype
Object.defineProperty(MemorySessions.prototype, 'commit', {
  value(this: MemorySessions, ...given: Parameters<MemorySessions['commit']>) {
    committed = { store: this, record: given[2] }
    return commit.apply(this, given)
  },
})

/** Another record of this size that shares no identity with it. */
function copyOf(record: SessionRecord, subject: string): SessionRecord {
  const text = JSON.stringify(record)
    .replaceAll(record.address, randomBytes(16).toString('base64url'))
    .replaceAll(record.logicalSessionId, randomUUID())
    .replaceAll(record.commit, randomUUID())
    .replaceAll(record.row.session, randomUUID())
    .replaceAll(record.scope.at(-1) ?? '', subject)
    .replaceAll(record.intent ?? '', intent())
  return JSON.parse(text)
}

function intent(): string {
  return `Which customers ordered what: ${randomUUID()}`
}

/** Resident bytes of the process once collections no longer shrink it: each returns only some of the free pages. */
async function settledBytes(): Promise<number> {
  let least = Infinity
  for (let idle = 0; idle < IDLE_ROUNDS; idle++) {
    globalThis.gc?.()
    await setTimeout(PAUSE_MS)
    const { rss } = process.memoryUsage()
    if (rss > least * 0.99) continue
    least = rss
    idle = 0
  }
  return process.memoryUsage().rss
}

const IDLE_ROUNDS = 5
const PAUSE_MS = 1000
const wanted = Number(process.argv[2])
const { gateway, caller, close } = await startServer('memory')
for (let opened = 0; opened < wanted; opened += OF_A_PRINCIPAL) {
  const principal = ['key', 'subject', randomUUID()]
  const other = { ...caller, principal, tenantScope: principal }
  for (let session = 0; session < OF_A_PRINCIPAL; session++) {
    if (opened < BY_CALLS) await gateway.context(other, { ...REPEATED, intent: intent() })
    else if (committed) {
      const { store, record } = committed
      const copy = copyOf(record, principal[2] ?? '')
      await commit.call(store, JSON.stringify(principal), null, copy)
    }
  }
}
process.send?.(await settledBytes())
await close()
process.exit(0)
