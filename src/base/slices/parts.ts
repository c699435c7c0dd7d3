import type { Json } from '../../../base/canonical.ts'
import { setOwn } from '../../../base/json.ts'
import { LIGHT, weightLeft } from '../../../base/slices/light.ts'

/*
 * A large value crosses from its thread in parts: copying it at once would block the thread that serves.
 */

/** What is added to the list or object that was opened last at a depth: values, or an empty list or object, which is opened. */
export type Part =
  | { readonly depth: number; readonly keys?: readonly string[]; readonly values: readonly Json[] }
  | { readonly depth: number; readonly key?: string; readonly opens: 'list' | 'object' }

/** The parts of a value, in order: values that are light together, and heavy ones level by level. A heavy text is one part. */
export function partsOf(value: Json): Generator<Part> {
  return partsIn([value], 0)
}

function* partsIn(
  holder: readonly Json[] | { readonly [key: string]: Json },
  depth: number,
): Generator<Part> {
  const isList = Array.isArray(holder)
  let [keys, values, left]: [string[], Json[], number] = [[], [], LIGHT]
  const added = (): Part => {
    const part = isList ? { depth, values } : { depth, keys, values }
    ;[keys, values, left] = [[], [], LIGHT]
    return part
  }
  for (const [key, held] of isList ? holder.entries() : Object.entries(holder)) {
    let rest = weightLeft(held, left)
    if (rest <= 0 && values.length > 0) {
      yield added()
      rest = weightLeft(held, left)
    }
    if (rest <= 0 && typeof held === 'object' && held !== null) {
      yield { depth, ...(!isList && { key: String(key) }), opens: Array.isArray(held) ? 'list' : 'object' }
      yield* partsIn(held, depth + 1)
      continue
    }
    if (!isList) keys.push(String(key))
    values.push(held)
    left = rest
  }
  if (values.length > 0) yield added()
}

/** Joins the parts of a value in their order. */
export class Joined {
  readonly #root: Json[] = []
  /** The list or object that was opened last at each depth. */
  readonly #open: (Json[] | { [key: string]: Json })[] = [this.#root]

  add(part: Part): void {
    const { depth } = part
    if ('values' in part)
      for (const [at, value] of part.values.entries()) this.#put(depth, part.keys?.[at], value)
    else {
      const opened = part.opens === 'list' ? [] : {}
      this.#put(depth, part.key, opened)
      this.#open[depth + 1] = opened
    }
  }

  /** The value; undefined before its first part. */
  get value(): Json | undefined {
    return this.#root[0]
  }

  #put(depth: number, key: string | undefined, value: Json): void {
    const holder = this.#open[depth]
    if (Array.isArray(holder)) holder.push(value)
    else if (holder && key !== undefined) setOwn(holder, key, value)
  }
}
