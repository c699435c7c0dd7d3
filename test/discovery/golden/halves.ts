import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'

/** A goal as an agent's host would send it, and what has to be found for it. */
export interface Golden {
  readonly id: string
  readonly intent: string
  /** One of each group, as `api:Entity`, has to be there; none where no catalog can do it. */
  readonly expect: readonly (readonly string[])[]
}

/**
 * The questions of a golden set by half. The ranker is calibrated on `tuning` alone; `heldOut` is for measuring: its misses
 * are not to be read one by one, or it measures nothing any more. A hash of the id decides, so that nobody chooses.
 */
export function halves(name: string): {
  readonly tuning: readonly Golden[]
  readonly heldOut: readonly Golden[]
} {
  const all = questions(name)
  const held = ({ id }: Golden) => (createHash('sha256').update(id).digest()[0] ?? 0) % 2 === 0
  return { tuning: all.filter((golden) => !held(golden)), heldOut: all.filter(held) }
}

/** All questions of a set. */
export function questions(name: string): readonly Golden[] {
  return JSON.parse(readFileSync(new URL(name, import.meta.url), 'utf8'))
}
