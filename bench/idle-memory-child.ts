import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { startServer, REPEATED } from './server.ts'

/*
 * Opens ten sessions for each principal, as agents do, and sends the size of the process once nothing is left to collect.
 */

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
for (let opened = 0; opened < wanted; opened += 10) {
  const principal = ['key', 'subject', randomUUID()]
  const other = { ...caller, principal, tenantScope: principal }
  for (let session = 0; session < 10; session++)
    await gateway.context(other, { ...REPEATED, intent: `Which customers ordered what: ${randomUUID()}` })
}
process.send?.(await settledBytes())
await close()
process.exit(0)
