import type { Json } from '../canonical.ts'

type Keyed = { readonly [key: string]: unknown }

/*
 * To look for the keys of an object with hundreds of thousands of members takes tens of milliseconds, even for the first of them.
 * What is made in slices notes them as it goes.
 */
const noted = new WeakMap<Keyed, string[]>()

/** An object to be filled in slices, by `noteKey` before each new member. It has to be too heavy to be handled at once. */
export function heavyObject(): { [key: string]: Json } {
  const made = {}
  noted.set(made, [])
  return made
}

/** Notes that the object gets a member. */
export function noteKey(heavy: Keyed, key: string): void {
  noted.get(heavy)?.push(key)
}

/** Was the object made in slices? */
export function isHeavy(value: Keyed): boolean {
  return noted.has(value)
}

/** The keys of an object, in their order. */
export function keysOf(value: Keyed): readonly string[] {
  return noted.get(value) ?? Object.keys(value)
}
