import type { Json } from '../base/canonical.ts'
import type { Entry } from '../execution/store.ts'

/*
 * Entries are written and read by the engine alone: what it kept is what it finds. The store carries them as JSON and knows
 * no more of them; here, and only here, they change type.
 */

/** Plain data, as the store takes it. */
export function toKept(value: object): Json {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return value as unknown as Json
}

/** The body of an entry, as what it was kept as. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the caller says what it kept
export function fromKept<Kept extends object>({ body }: Entry): Kept {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return body as unknown as Kept
}
