import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { build, REPEATED } from './house.ts'

/*
 * Opens sessions as agents do, each principal ten, and says how large the process is once nothing is left to collect.
 */

/** The bytes of the process once it gives none back any more: what was garbage is let go of page by page. */
async function atRest(): Promise<number> {
  for (let bytes = Infinity; ;) {
    globalThis.gc?.()
    await setTimeout(PAUSE_MS)
    const { rss } = process.memoryUsage()
    if (rss > bytes * 0.99) return rss
    bytes = rss
  }
}

const PAUSE_MS = 500
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
