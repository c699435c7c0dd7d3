import { freeze } from '../../base/freeze.ts'
import type { Capability, Entity } from '../../catalog/model.ts'
import type { Explanation, Reading } from '../../catalog/source.ts'

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

/** The slices of a reading, in order; at least one. */
export function slicesOf(reading: Reading): readonly Slice[] {
  const { catalog, why = [] } = reading
  const first: Slice = {
    reading: {
      ...reading,
      ...(catalog && { catalog: { ...catalog, entities: [], capabilities: [] } }),
      ...(reading.why && { why: [] }),
    },
  }
  const slices: Slice[] = [
    first,
    ...cut(catalog?.entities ?? []).map((entities) => ({ entities })),
    ...cut(catalog?.capabilities ?? []).map((capabilities) => ({ capabilities })),
    ...cut(why).map((lines) => ({ why: lines })),
  ]
  return slices.map((slice, index) => (index === slices.length - 1 ? { ...slice, isLast: true } : slice))
}

function cut<Item>(items: readonly Item[]): readonly (readonly Item[])[] {
  const slices: Item[][] = []
  let [slice, size]: [Item[], number] = [[], 0]
  for (const item of items) {
    slice.push(item)
    size += JSON.stringify(item).length
    if (size < SLICE_CHARACTERS) continue
    slices.push(slice)
    ;[slice, size] = [[], 0]
  }
  return slice.length > 0 ? [...slices, slice] : slices
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
