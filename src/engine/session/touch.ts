import type { SessionRecord } from '../../session/record.ts'
import type { Parts } from '../parts.ts'

/** Has the row been used so lately that one more use writes nothing? Then it is live as well. */
export function isFresh({ limits }: Parts, { row }: SessionRecord, now: number): boolean {
  return row.expiresAt - now >= (limits.rowLifeMs * 3) / 4
}

/** Use keeps a row alive; the expiry moves only when under three quarters of it remain, so that most uses write nothing. */
export async function touch(parts: Parts, record: SessionRecord, now: number): Promise<void> {
  if (isFresh(parts, record, now)) return
  const { store, limits } = parts
  const { address, row } = record
  await store.touch(address, row.generation, now + limits.rowLifeMs, now + limits.recordLifeMs)
}
