import type { SessionRecord } from '../session/record.ts'
import type { Parts } from './parts.ts'

/** Use keeps a row alive; the expiry moves only when under three quarters of it remain, so that most uses write nothing. */
export async function touch(
  { store, limits }: Parts,
  { address, row }: SessionRecord,
  now: number,
): Promise<void> {
  if (row.expiresAt - now >= (limits.rowLifeMs * 3) / 4) return
  await store.touch(address, row.generation, now + limits.rowLifeMs, now + limits.recordLifeMs)
}
