import { fenced } from '../base/text/fenced.ts'
import { indexOf } from '../catalog/lookup.ts'
import type { Entry, Visible } from './corpus.ts'
import type { AskedChange } from './goal.ts'
import type { Ranking } from './rank.ts'
import { nameCell, type DiscoveryRow, type Selection, type Shown } from './rows.ts'

/** The most catalogs named beside a row. */
const MAX_TWINS = 8
/** The most catalogs named where none fits. */
const MAX_ASKED = 40
/** How many rows are described: what is picked is nearly always one of them, and a name tells the others apart. */
const DESCRIBED_ROWS = 5
/** How many rows name the targets of their relations, and the most relations named. */
const RELATED_ROWS = 3
const MAX_RELATIONS = 4

/** Who reads the text, and what the goal asks to change. */
interface Reader {
  readonly visible: Visible
  readonly change: AskedChange | undefined
}

/** The agent's text: the rows as TSV in a fence, what else there is, and where the relations of the best rows lead. */
export function discoveryText(
  { shown, omitted, next }: Selection,
  { foreign, considered }: Ranking,
  { visible, change }: Reader,
): string {
  const missing = foreign.map((name) => `_No \`api\` here is ${nameCell(name)}._`)
  if (shown.length === 0) return [...missing, `_Nothing fits._`, nextStep(considered)].join('\n\n')
  const fits = shown.some(({ row }) => row.fit !== 'weak')
  const parts = [
    ...missing,
    ...(fits ? [] : ['_Nothing fits well. Nearest:_']),
    table(shown.map(({ row }) => row)),
  ]
  if (next.length > 0)
    parts.push(`_Next: ${byApi(next)}.${omitted > next.length ? ` ${omitted} more fit.` : ''}_`)
  if (fits && change) parts.push(...lacking(shown, change, visible))
  const related = relationsLine(shown.slice(0, RELATED_ROWS), visible)
  if (fits && related !== undefined) parts.push(related)
  if (!fits) parts.push(nextStep(considered))
  return parts.join('\n\n')
}

const VERBS = { create: 'created', delete: 'deleted' } as const

/** The entities that can only be read, and the best ones that have no capability of an asked kind; an action may be one under another name. */
function lacking(shown: readonly Shown[], { kinds }: AskedChange, visible: Visible): string[] {
  const changesOf = ({ catalog, entity }: Entry) =>
    indexOf(catalog)
      .capabilitiesOf(entity.name)
      .filter(({ name, effect }) => effect !== 'read' && visible.mayUseCapability(catalog.id, name))
  const line = (what: string, found: readonly Shown[]) =>
    found.length === 0 ? [] : [`_${what}: ${byApi(found.map(({ entry }) => entry))}._`]
  const changed = shown.filter(({ entry }) => changesOf(entry).length > 0)
  return [
    ...line(
      'Read only',
      shown.filter((one) => !changed.includes(one)),
    ),
    ...[...kinds].flatMap((kind) =>
      line(
        `Cannot be ${VERBS[kind]}`,
        changed.filter(
          ({ row, entry }) =>
            row.fit === 'strong' &&
            changesOf(entry).every((one) => one.kind !== kind && one.kind !== 'action'),
        ),
      ),
    ),
  ]
}

function table(rows: readonly DiscoveryRow[]): string {
  const lines = [
    'api\tentity\tfit\tdescription',
    ...rows.map(({ api, entity, fit, description, also }, index) => {
      const twins = also.length > 0 ? `Also in ${listed(also, MAX_TWINS)}. ` : ''
      return [api, entity, fit, `${twins}${index < DESCRIBED_ROWS ? description : ''}`.trimEnd()].join('\t')
    }),
  ]
  return fenced(lines.join('\n'), 'tsv')
}

/** Advice not to guess, with the catalogs that were searched. */
function nextStep(considered: readonly string[]): string {
  if (considered.length === 0)
    return '_There is no `api` to ask: call discover_capabilities without allowed_entry_ids._'
  const names = listed(considered.toSorted().map(nameCell), MAX_ASKED)
  return `_Asked: ${names}. Name the api and the thing in other words, or say that no connected \`api\` does this._`
}

function listed(names: readonly string[], most: number): string {
  const more = names.length - most
  return `${names.slice(0, most).join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

/** `jira Worklog, Transition; outlook Event` */
function byApi(entries: readonly Entry[]): string {
  const names = new Map<string, string[]>()
  for (const { catalog, entity } of entries)
    names.set(catalog.id, [...(names.get(catalog.id) ?? []), nameCell(entity.name)])
  return [...names].map(([api, entities]) => `${nameCell(api)} ${entities.join(', ')}`).join('; ')
}

/** The readable relations of the best rows with their targets: first those that lead to another row. */
function relationsLine(best: readonly Shown[], visible: Visible): string | undefined {
  const names = new Set(best.map(({ entry }) => keyOf(entry, entry.entity.name)))
  const relations = best.flatMap(({ entry }) =>
    entry.entity.relations
      .filter(({ target, via }) => via.kind !== 'none' && canBeRead(entry, target, visible))
      .map(({ name, target }) => ({
        text: `${nameCell(entry.entity.name)}.${nameCell(name)} → ${nameCell(target)}`,
        isShown: names.has(keyOf(entry, target)),
      })),
  )
  const first = [
    ...relations.filter(({ isShown }) => isShown),
    ...relations.filter(({ isShown }) => !isShown),
  ]
  const texts = [...new Set(first.map(({ text }) => text))].slice(0, MAX_RELATIONS)
  return texts.length === 0 ? undefined : `_Relations: ${texts.join(', ')}._`
}

/** An entity without capabilities is read through the relation itself. */
function canBeRead({ catalog }: Entry, target: string, visible: Visible): boolean {
  const capabilities = indexOf(catalog).capabilitiesOf(target)
  return (
    capabilities.length === 0 || capabilities.some(({ name }) => visible.mayUseCapability(catalog.id, name))
  )
}

function keyOf({ catalog }: Entry, entity: string): string {
  return JSON.stringify([catalog.id, entity])
}
