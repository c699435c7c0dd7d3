import { randomUUID } from 'node:crypto'
import { build, REPEATED } from './house.ts'

/*
 * Opens sessions as agents do, each principal ten, and says how large the process is once nothing is left to collect.
 */
const wanted = Number(process.argv[2])
const { gateway, caller, close } = await build('memory')
for (let opened = 0; opened < wanted; opened += 10) {
  const principal = ['key', 'subject', randomUUID()]
  const other = { ...caller, principal, tenantScope: principal }
  for (let session = 0; session < 10; session++)
    await gateway.context(other, { ...REPEATED, intent: `Which customers ordered what: ${randomUUID()}` })
}
globalThis.gc?.()
process.send?.(process.memoryUsage().rss)
await close()
process.exit(0)
