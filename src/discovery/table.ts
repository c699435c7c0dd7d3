import { indexOf } from '../catalog/lookup.ts'
import type { Hit } from './fit.ts'
import { groupBy } from './group.ts'
import { joinsAmong } from './join.ts'
import { oneLine } from '../base/one-line.ts'
import type { Visible } from './search.ts'
import type { Shared } from './share.ts'

/** One line of the table. */
export interface DiscoveryRow {
  readonly api: string
  readonly entity: string
  readonly description: string
}

/** The longest description, in Unicode scalar values. */
const MAX_DESCRIPTION_LENGTH = 200
/** The longest name. */
const MAX_NAME_LENGTH = 256
/** The most entities listed as duplicates. */
const MAX_DOUBLES = 5
/** The most catalogs named when nothing fits. */
const MAX_NAMES = 12
/** The most joins listed. */
const MAX_JOINS = 5

/** The row of a hit: the entity's description, else that of its first capability that the caller may see. */
export function rowOf({ catalog, entity }: Pick<Hit, 'catalog' | 'entity'>, visible: Visible): DiscoveryRow {
  const described = indexOf(catalog)
    .capabilitiesOf(entity.name)
    .find(({ name, description }) => description && visible.mayUseCapability(catalog.id, name))
  return {
    api: nameCell(catalog.id),
    entity: nameCell(entity.name),
    description: oneLine(entity.description || (described?.description ?? ''), MAX_DESCRIPTION_LENGTH),
  }
}

/** The agent's text: the rows as TSV in a fence, then omitted entities, equal names in other catalogs, and joins. */
export function discoveryText(
  rows: readonly DiscoveryRow[],
  { shown, omitted }: Shared,
  considered: readonly string[],
  visible: Visible,
): string {
  if (rows.length === 0) return `_No matching entities._\n\n${nextStep(considered)}`
  const lines = [
    ['api', 'entity', 'description'],
    ...rows.map((row) => [row.api, row.entity, row.description]),
  ]
  const tsv = lines.map((cells) => cells.join('\t')).join('\n')
  const fence = '`'.repeat(Math.max(3, ...(tsv.match(/`+/g) ?? []).map((run) => run.length + 1)))
  const parts = [`${fence}tsv\n${tsv}\n${fence}`]
  if (omitted.length > 0) parts.push(truncation(rows.length, omitted.length))
  const doubles = doublesOf(shown, visible)
  if (doubles.length > 0) parts.push(['**Same name in more than one `api`**', '', ...doubles].join('\n'))
  const joined = joinedLine(shown)
  if (joined !== undefined) parts.push(joined)
  return parts.join('\n\n')
}

/** The text when nothing fits: the catalogs that were searched, and advice not to guess. */
function nextStep(considered: readonly string[]): string {
  if (considered.length === 0)
    return '_There is no `api` to ask: call discover_capabilities without allowed_entry_ids._'
  const names = considered.toSorted().map(nameCell)
  const some = names.slice(0, MAX_NAMES).join(', ')
  const more = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} more` : ''
  return `_Asked: ${some}${more}. If one of them should know this, name it and the thing in other words; otherwise say that no connected \`api\` does this._`
}

function truncation(shown: number, omitted: number): string {
  return `_Showing top ${shown} discovery rows (${omitted} omitted). Federated intents may need a second discover that names what is missing._`
}

/** The relations that lead from one shown entity to another; those of the best rows first. */
function joinedLine(shown: readonly Hit[]): string | undefined {
  const joins = [...groupBy(shown, ({ catalog }) => catalog)]
    .flatMap(([catalog, hits]) =>
      joinsAmong(
        catalog,
        hits.map(({ entity }) => entity.name),
      ),
    )
    .slice(0, MAX_JOINS)
    .map(({ from, by, to }) => `${nameCell(from)}.${nameCell(by)} → ${nameCell(to)}`)
  return joins.length === 0 ? undefined : `_Joined by ${joins.join(', ')}._`
}

/** For each entity name that several catalogs share: the best-fitting operation, and the catalogs that have it. */
function doublesOf(shown: readonly Hit[], visible: Visible): string[] {
  return [...groupBy(shown, ({ entity }) => entity.name).values()]
    .filter((group) => group.length > 1)
    .slice(0, MAX_DOUBLES)
    .map((group) => {
      const shared = group
        .flatMap(({ capability }) => capability ?? [])
        .find((capability) => group.every((hit) => mayDo(hit, capability, visible)))
      const name = shared ?? group[0]?.entity.name ?? ''
      const score = Math.round(Math.max(...group.map((hit) => hit.score)) * 100)
      const apis = group.map(({ catalog }) => nameCell(catalog.id)).toSorted()
      return `- \`${nameCell(name)}\` (score ${score}) — pick one \`api\`: ${apis.join(', ')}`
    })
}

function mayDo({ catalog }: Hit, capability: string, visible: Visible): boolean {
  return indexOf(catalog).capabilities.has(capability) && visible.mayUseCapability(catalog.id, capability)
}

function nameCell(name: string): string {
  return oneLine(name, MAX_NAME_LENGTH)
}
