import type { SessionRecord } from '../../session/record.ts'
import type { Parts } from '../parts.ts'

/** Was the row used so recently that another use writes nothing? A fresh row is live. */
export function isFresh({ limits }: Parts, { row }: SessionRecord, now: number): boolean {
  return row.expiresAt - now >= (limits.rowLifeMs * 3) / 4
}

/** Extends the life of a row. Writes only if less than three quarters of it remain, so that most uses write nothing. */
export async function touch(parts: Parts, record: SessionRecord, now: number): Promise<void> {
  if (isFresh(parts, record, now)) return
  const { store, limits } = parts
  const { address, row } = record
  await store.touch(address, row.generation, now + limits.rowLifeMs, now + limits.recordLifeMs)
}
