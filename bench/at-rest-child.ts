import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { build, REPEATED } from './house.ts'

/*
 * Opens sessions as agents do, each principal ten, and says how large the process is once nothing is left to collect.
 */

/** The bytes of the process once it gives none back any more: what is free is let go of page by page, a few at each collection. */
async function atRest(): Promise<number> {
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
const { gateway, caller, close } = await build('memory')
for (let opened = 0; opened < wanted; opened += 10) {
  const principal = ['key', 'subject', randomUUID()]
  const other = { ...caller, principal, tenantScope: principal }
  for (let session = 0; session < 10; session++)
    await gateway.context(other, { ...REPEATED, intent: `Which customers ordered what: ${randomUUID()}` })
}
process.send?.(await atRest())
await close()
process.exit(0)
