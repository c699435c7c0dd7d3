import type { Entry } from '../../execution/store.ts'

/*
 * Entries are written and read by the engine alone: what it kept is what it finds. The store carries them as text and knows
 * no more of them; here, and only here, they become text and values again.
 */

/** Plain data, as the store takes it. */
export function toKept(value: object): string {
  return JSON.stringify(value)
}

/** The body of an entry, as what it was kept as. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it kept
export function fromKept<Kept extends object>({ body }: Entry): Kept {
  const kept: Kept = JSON.parse(body)
  return kept
}
