import { indexOf } from '../catalog/lookup.ts'
import { groupBy } from './group.ts'
import type { Ranking } from './rank.ts'
import type { Hit, Visible } from './search.ts'

/** One line of the table. */
export interface DiscoveryRow {
  readonly api: string
  readonly entity: string
  readonly description: string
}

/** The longest description, in Unicode scalar values. */
const LONGEST_DESCRIPTION = 200
/** More doubles than these are not listed. */
const MOST_DOUBLES = 5

/** The row of a hit: the entity's description, else that of its first capability that the caller may see. */
export function rowOf({ catalog, entity }: Hit, visible: Visible): DiscoveryRow {
  const described = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .find(({ name, description }) => description && visible.mayUseCapability(catalog.id, name))
  return {
    api: cell(catalog.id),
    entity: cell(entity.name),
    description: shortened(cell(entity.description || (described?.description ?? ''))),
  }
}

/** What an agent reads: the rows as TSV in a fence, then what was left out and what has a double elsewhere. */
export function discoveryText(rows: readonly DiscoveryRow[], ranking: Ranking, visible: Visible): string {
  if (rows.length === 0) return '_No matching entities._'
  const lines = [
    ['api', 'entity', 'description'],
    ...rows.map((row) => [row.api, row.entity, row.description]),
  ]
  const tsv = lines.map((cells) => cells.join('\t')).join('\n')
  const fence = '`'.repeat(Math.max(3, ...(tsv.match(/`+/g) ?? []).map((run) => run.length + 1)))
  const parts = [`${fence}tsv\n${tsv}\n${fence}`]
  if (ranking.omitted.length > 0) parts.push(truncation(rows.length, ranking.omitted.length))
  const doubles = doublesOf(ranking.shown, visible)
  if (doubles.length > 0) parts.push(['**Same name in more than one `api`**', '', ...doubles].join('\n'))
  return parts.join('\n\n')
}

function truncation(shown: number, omitted: number): string {
  return `_Showing top ${shown} discovery rows (${omitted} omitted). Federated intents may need a second discover that names what is missing._`
}

/** For each entity name that several catalogs share: the operation that fits best there, and whom it could be asked of. */
function doublesOf(shown: readonly Hit[], visible: Visible): string[] {
  return [...groupBy(shown, ({ entity }) => entity.name).values()]
    .filter((group) => group.length > 1)
    .slice(0, MOST_DOUBLES)
    .map((group) => {
      const shared = group
        .flatMap(({ best }) => best ?? [])
        .toSorted((a, b) => b.score - a.score)
        .find(({ capability }) => group.every((hit) => mayDo(hit, capability, visible)))
      const name = shared?.capability ?? group[0]?.entity.name ?? ''
      const score = Math.round(shared?.score ?? Math.max(...group.map((hit) => hit.score)))
      const apis = group.map(({ catalog }) => cell(catalog.id)).toSorted()
      return `- \`${cell(name)}\` (score ${score}) — pick one \`api\`: ${apis.join(', ')}`
    })
}

function mayDo({ catalog }: Hit, capability: string, visible: Visible): boolean {
  return indexOf(catalog).capabilities.has(capability) && visible.mayUseCapability(catalog.id, capability)
}

/** One cell: no tab, line break or other control may forge a column or a row. */
function cell(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}\s]+/gu, ' ').trim()
}

function shortened(text: string): string {
  // Twice the limit in UTF-16 holds at least the limit in scalars: long texts are not walked whole.
  const scalars = Array.from(text.slice(0, LONGEST_DESCRIPTION * 2 + 2))
  return scalars.length <= LONGEST_DESCRIPTION
    ? text
    : `${scalars
        .slice(0, LONGEST_DESCRIPTION - 1)
        .join('')
        .trimEnd()}…`
}
