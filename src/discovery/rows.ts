import { oneLine } from '../base/text/one-line.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Entry, Visible } from './corpus.ts'
import type { Band, Hit, Ranking } from './rank.ts'

/** One line of the table: `api` and `entity` can be picked as they stand. */
export interface DiscoveryRow {
  readonly api: string
  readonly entity: string
  readonly fit: Band
  readonly description: string
  /** Other catalogs that have an entity of this name which fits as well. */
  readonly also: readonly string[]
}

/** A row, and the entity that it shows. */
export interface Shown {
  readonly row: DiscoveryRow
  readonly entry: Entry
}

const MAX_ROWS = 12
const MAX_ROWS_A_CATALOG = 8
/** So many rows are shown however weak they are. */
const WEAK_ROWS = 5
/** How many of the best that are not shown are named. */
const MAX_NEXT = 7
/** The longest description, in Unicode scalar values. */
const MAX_DESCRIPTION_LENGTH = 100
/** The longest name. */
const MAX_NAME_LENGTH = 256

/** The part of a ranking that one answer shows. */
export interface Selection {
  readonly shown: readonly Shown[]
  /** The number of hits that fit and are not shown. */
  readonly omitted: number
  /** The best of all hits that are not shown. */
  readonly next: readonly Entry[]
}

/**
 * The rows of a ranking, and what comes next. Entities of one name that fit equally are one row, unless
 * the goal names their catalogs. An abstract entity is followed by its owner, through which it is read.
 */
export function rowsOf({ hits, named }: Ranking, visible: Visible, limit = MAX_ROWS): Selection {
  const most = Math.min(limit, MAX_ROWS)
  const counts = new Map<string, number>()
  const shown: Shown[] = []
  const hidden: Hit[] = []
  const listed = new Set<Entry>()
  const twinsOf = (hit: Hit) =>
    named.has(hit.entry.catalog.id)
      ? []
      : hits.filter((other) => isTwin(hit, other) && !named.has(other.entry.catalog.id))
  const add = (hit: Hit) => {
    const { id } = hit.entry.catalog
    const count = counts.get(id) ?? 0
    const isOver = shown.length >= most || count >= MAX_ROWS_A_CATALOG
    const twins = twinsOf(hit)
    for (const { entry } of [hit, ...twins]) listed.add(entry)
    if (isOver) return void hidden.push(hit)
    counts.set(id, count + 1)
    shown.push({ entry: hit.entry, row: rowOf(hit, visible, twins) })
  }
  for (const hit of hits) {
    if (listed.has(hit.entry)) continue
    if (hit.band === 'weak' && shown.length >= WEAK_ROWS) {
      hidden.push(hit)
      continue
    }
    add(hit)
    const { owner, catalog } = hit.entry
    const its = owner && hits.find(({ entry }) => entry.catalog === catalog && entry.entity === owner.entity)
    if (its && !listed.has(its.entry)) add(its)
  }
  return {
    shown,
    omitted: hidden.filter(({ band }) => band !== 'weak').length,
    next: hidden.slice(0, MAX_NEXT).map(({ entry }) => entry),
  }
}

function isTwin({ entry, band }: Hit, other: Hit): boolean {
  return (
    other.entry.catalog !== entry.catalog &&
    other.entry.entity.name === entry.entity.name &&
    other.band === band
  )
}

/** The row of a hit: the entity's description, else that of its first capability that the caller may see. */
export function rowOf({ entry, band }: Hit, visible: Visible, twins: readonly Hit[] = []): DiscoveryRow {
  const { catalog, entity, owner } = entry
  const described = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .find(({ name, description }) => description && visible.mayUseCapability(catalog.id, name))
  const description = entity.description || (described?.description ?? '')
  const way = owner ? `By ${owner.entity.name}.${owner.relation.name}. ` : ''
  return {
    api: nameCell(catalog.id),
    entity: nameCell(entity.name),
    fit: band,
    description: oneLine(`${way}${description}`, MAX_DESCRIPTION_LENGTH),
    also: twins.map((twin) => nameCell(twin.entry.catalog.id)),
  }
}

/** A name from outside in one line. */
export function nameCell(name: string): string {
  return oneLine(name, MAX_NAME_LENGTH)
}
