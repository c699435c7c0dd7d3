import type { Transcript } from './store.ts'

/** A stored conversation. `head` is JSON text of the surface. */
export type Conversation = Pick<Transcript, 'id' | 'number' | 'head' | 'lines' | 'updatedAt'> & {
  /** A turn is under way, in this process or another one. */
  readonly isRunning: boolean
  /** Its last turn was cut off: the process ended, or lost the store. */
  readonly isCutOff: boolean
}

/** The transcript as its readers see it. */
export function shown({
  id,
  number,
  head,
  lines,
  updatedAt,
  holder,
  heldUntil,
  now,
}: Transcript): Conversation {
  const isHeld = holder !== ''
  const isRunning = isHeld && heldUntil > now
  return { id, number, head, lines, updatedAt, isRunning, isCutOff: isHeld && !isRunning }
}
