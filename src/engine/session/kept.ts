import type { Entry } from '../entry-store.ts'

/*
 * Only the engine writes and reads entries, so a body has the shape that it was written with. The store carries them as
 * text; they are serialized and parsed here only.
 */

/** Plain data as the text of an entry. */
export function toKept(value: object): string {
  return JSON.stringify(value)
}

/** The body of an entry, as it was written. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller states what it wrote
export function fromKept<Kept extends object>({ body }: Entry): Kept {
  const kept: Kept = JSON.parse(body)
  return kept
}
