import fc from 'fast-check'
import { indexOf, type CatalogSet } from '../../src/catalog/lookup.ts'
import type { Catalog } from '../../src/catalog/model.ts'
import type { SessionRecord } from '../../src/session/record.ts'
import { decide } from '../../src/session/reuse.ts'
import { fixtureCatalog, setOf } from '../engine/fixtures.ts'
import { openingOf, presentOf, ROW_LIFE_MS } from '../session/worlds.ts'

const shop = fixtureCatalog('shop')
const library = fixtureCatalog('library')

/** Three worlds to move between: today's catalogs, a changed shop, and one without the library. */
export const WORLDS: readonly CatalogSet[] = [
  setOf(shop, library),
  setOf({ ...shop, version: shop.version + 1, entities: shop.entities.slice(0, -1) }, library),
  setOf(shop),
]

const models = new Map<string, Catalog>(
  WORLDS.flatMap(({ byId }) => [...byId.values()].map((pinned) => [pinned.digest, pinned.catalog] as const)),
)

export function model(digest: string): Catalog {
  const held = models.get(digest)
  if (!held) throw new Error(`no model ${digest}`)
  return held
}

/** What happens to a session: some picks, after some time, in one of the worlds. */
export interface Step {
  readonly world: number
  readonly picks: readonly number[]
  readonly idle: boolean
}

export const steps = (worlds = WORLDS.length): fc.Arbitrary<readonly Step[]> =>
  fc.array(
    fc.record({
      world: fc.nat({ max: worlds - 1 }),
      picks: fc.array(fc.nat({ max: 30 }), { minLength: 1, maxLength: 4 }),
      idle: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  )

/** Every record that the session had, in order. */
export function play(history: readonly Step[]): SessionRecord[] {
  const records: SessionRecord[] = []
  let now = 0
  let record: SessionRecord | null = null
  for (const step of history) {
    const set = WORLDS[step.world]
    if (!set) continue
    now += step.idle ? ROW_LIFE_MS : 1
    const decision = decide(record, openingOf(set, namesIn(set, step.picks)), presentOf(set, now))
    if (decision.kind === 'have_unknown') throw new Error('no step says what it holds')
    record = decision.kind === 'repeat' ? decision.record : decision.next
    records.push(record)
  }
  return records
}

function namesIn(set: CatalogSet, picks: readonly number[]): string[] {
  const all = [...set.byId.values()].flatMap(({ catalog }) =>
    [...indexOf(catalog).entities.keys()].map((entity) => `${catalog.id}:${entity}`),
  )
  return picks.map((pick) => all[pick % all.length] ?? '').filter((name) => name !== '')
}
