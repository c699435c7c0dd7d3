import type { Json } from '../canonical.ts'
import { child, isList, setOwn } from '../json.ts'
import { heavyObject, keysOf, noteKey } from './keys.ts'
import { LIGHT, weightLeft } from './light.ts'

/*
 * A large value crosses between threads, and is stored, in parts: copying, writing or parsing it at once would block the thread
 * that serves.
 */

/**
 * What is added to the list or object that was opened last at a depth: values, an empty list or object, which is opened, or more
 * characters of the text that was added last.
 */
export type Part =
  | { readonly depth: number; readonly keys?: readonly string[]; readonly values: readonly Json[] }
  | { readonly depth: number; readonly key?: string; readonly opens: 'list' | 'object' }
  | { readonly depth: number; readonly key?: string; readonly more: string }

/** So many characters of a text are in one part. */
const TEXT_CHARACTERS = 100_000

/** The parts of a value, in order: values that are light together, and heavy ones level by level. */
export function partsOf(value: Json): Generator<Part> {
  return partsIn([value], 0)
}

function* partsIn(
  holder: readonly Json[] | { readonly [key: string]: Json },
  depth: number,
): Generator<Part> {
  const isListed = isList(holder)
  let [keys, values, left]: [string[], Json[], number] = [[], [], LIGHT]
  const added = (): Part => {
    const part = isListed ? { depth, values } : { depth, keys, values }
    ;[keys, values, left] = [[], [], LIGHT]
    return part
  }
  for (const at of isListed ? holder.keys() : keysOf(holder)) {
    const key = String(at)
    const held = child(holder, at)
    if (held === undefined) continue
    let rest = weightLeft(held, left)
    if (rest <= 0 && values.length > 0) {
      yield added()
      rest = weightLeft(held, left)
    }
    if (rest <= 0 && typeof held === 'object' && held !== null) {
      yield { depth, ...(!isListed && { key }), opens: Array.isArray(held) ? 'list' : 'object' }
      yield* partsIn(held, depth + 1)
      continue
    }
    const isLong = typeof held === 'string' && held.length > TEXT_CHARACTERS
    if (!isListed) keys.push(key)
    values.push(isLong ? held.slice(0, TEXT_CHARACTERS) : held)
    left = rest
    if (!isLong) continue
    yield added()
    for (let from = TEXT_CHARACTERS; from < held.length; from += TEXT_CHARACTERS)
      yield { depth, ...(!isListed && { key }), more: held.slice(from, from + TEXT_CHARACTERS) }
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
    else if ('more' in part) this.#extend(depth, part.key, part.more)
    else {
      const opened = part.opens === 'list' ? [] : heavyObject()
      this.#put(depth, part.key, opened)
      this.#open[depth + 1] = opened
    }
  }

  /** The value; undefined before its first part. */
  get value(): Json | undefined {
    return this.#root[0]
  }

  /** Adds characters to a text of which the beginning is there. */
  #extend(depth: number, key: string | undefined, more: string): void {
    const holder = this.#open[depth]
    const begun = Array.isArray(holder) ? holder.pop() : child(holder, key ?? '')
    this.#put(depth, key, typeof begun === 'string' ? begun + more : more)
  }

  #put(depth: number, key: string | undefined, value: Json): void {
    const holder = this.#open[depth]
    if (Array.isArray(holder)) holder.push(value)
    else if (holder && key !== undefined) {
      if (!Object.hasOwn(holder, key)) noteKey(holder, key)
      setOwn(holder, key, value)
    }
  }
}
