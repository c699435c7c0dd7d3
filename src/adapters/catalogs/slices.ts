import { freeze } from '../../base/freeze.ts'
import type { Capability, Entity } from '../../catalog/model.ts'
import { problem } from '../../catalog/problems.ts'
import { type Explanation, MAX_PART_CHARACTERS, type Reading } from '../../catalog/source.ts'

/*
 * A reading crosses from its thread in slices: copying and freezing a large one at once would block the thread that serves.
 */

/** Part of a reading. The first holds the whole without its long lists. */
export interface Slice {
  readonly reading?: Reading
  readonly entities?: readonly Entity[]
  readonly capabilities?: readonly Capability[]
  readonly why?: readonly Explanation[]
  readonly isLast?: true
}

/** The size of a slice as JSON: copied and frozen in a few milliseconds. */
const SLICE_CHARACTERS = 100_000

/** The slices of a reading, in order; at least one. A catalog with a part that is too large for one is refused. */
export function slicesOf(reading: Reading): readonly Slice[] {
  const { catalog, why = [] } = reading
  const entities = cut(catalog?.entities ?? [])
  const capabilities = cut(catalog?.capabilities ?? [])
  const large = entities.large ?? capabilities.large
  if (large) return [{ reading: refused(reading, large.name), isLast: true }]
  const first: Slice = {
    reading: {
      ...reading,
      ...(catalog && { catalog: { ...catalog, entities: [], capabilities: [] } }),
      ...(reading.why && { why: [] }),
    },
  }
  const slices: Slice[] = [
    first,
    ...entities.slices.map((some) => ({ entities: some })),
    ...capabilities.slices.map((some) => ({ capabilities: some })),
    ...cut(why).slices.map((lines) => ({ why: lines })),
  ]
  return slices.map((slice, index) => (index === slices.length - 1 ? { ...slice, isLast: true } : slice))
}

function refused({ path, id, errors, warnings }: Reading, name: string): Reading {
  const params = { name, most: MAX_PART_CHARACTERS }
  return {
    path,
    id,
    errors: [...errors, problem('catalog_part_too_large', params, { file: path })],
    warnings,
  }
}

interface Cut<Item> {
  readonly slices: readonly (readonly Item[])[]
  /** The first item that is too large to be sent. */
  readonly large?: Item
}

function cut<Item>(items: readonly Item[]): Cut<Item> {
  const slices: Item[][] = []
  let [slice, size]: [Item[], number] = [[], 0]
  for (const item of items) {
    const own = JSON.stringify(item).length
    if (own > MAX_PART_CHARACTERS) return { slices: [], large: item }
    slice.push(item)
    size += own
    if (size < SLICE_CHARACTERS) continue
    slices.push(slice)
    ;[slice, size] = [[], 0]
  }
  return { slices: slice.length > 0 ? [...slices, slice] : slices }
}

/** Joins slices in their order, and freezes the catalog in them. */
export class Joined {
  #reading: Reading | undefined
  readonly #entities: Entity[] = []
  readonly #capabilities: Capability[] = []
  readonly #why: Explanation[] = []

  /** The whole reading, once the last slice is there. */
  add({ reading, entities = [], capabilities = [], why = [], isLast }: Slice): Reading | undefined {
    this.#reading ??= reading
    this.#entities.push(...freeze(entities))
    this.#capabilities.push(...freeze(capabilities))
    this.#why.push(...why)
    const whole = this.#reading
    if (!isLast || !whole) return undefined
    if (!whole.catalog) return whole
    const catalog = {
      ...whole.catalog,
      entities: Object.freeze(this.#entities),
      capabilities: Object.freeze(this.#capabilities),
    }
    return { ...whole, catalog: freeze(catalog), ...(whole.why && { why: this.#why }) }
  }
}
