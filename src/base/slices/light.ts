import { isObjectOrList } from '../canonical.ts'
import { isHeavy } from './keys.ts'

/** As many values are copied, or written as JSON, in about a millisecond. */
export const LIGHT = 5000
/** So many characters of text take as long as one value. */
const CHARACTERS = 50

/** Can the value be copied, or written as JSON, in about a millisecond? Looks no further than it has to. */
export function isLight(value: unknown): boolean {
  return weightLeft(value, LIGHT) > 0
}

/** What the value leaves of a weight; 0 or less where it is heavier. Looks no further than it has to. */
export function weightLeft(value: unknown, weight: number): number {
  if (typeof value === 'string') return weight - 1 - Math.trunc(value.length / CHARACTERS)
  if (!isObjectOrList(value)) return weight - 1
  if (isHeavy(value)) return 0
  let left = weight - 1
  if (Array.isArray(value)) {
    for (const item of value) {
      if (left <= 0) break
      left = weightLeft(item, left)
    }
    return left
  }
  // `Object.values` would make a list for every row.
  for (const key in value) {
    if (left <= 0) break
    left = weightLeft(value[key], left)
  }
  return left
}
