import { indexOf } from '../catalog/lookup.ts'
import type { Hit } from './fit.ts'
import { joinsOf } from './join.ts'
import type { Ranking } from './rank.ts'
import type { Find, Visible } from './search.ts'
import { rowOf, type DiscoveryRow } from './table.ts'

/** The answer for a host that wants one entity for a goal: that entity, or a question to ask first. */
export type Decision =
  /** `with`: the other entities that the goal needs. */
  | { readonly decision: 'ready'; readonly target: DiscoveryRow; readonly with: readonly DiscoveryRow[] }
  | {
      readonly decision: 'clarify_api' | 'clarify_entity'
      readonly prompt: string
      readonly options: readonly DiscoveryRow[]
    }
  | {
      readonly decision: 'clarify_qualifier'
      readonly prompt: string
      readonly target: DiscoveryRow
      /** Entities that are joined to the target: possible meanings of the uncovered words. */
      readonly options: readonly DiscoveryRow[]
    }
  /** `evidence`: the words that match nothing. */
  | { readonly decision: 'no_match'; readonly evidence: readonly string[] }

/** Scores this close count as equal. */
const CLOSE = 0.92
/** The share of uncovered words in a goal from which the host must ask. */
const MUCH_OPEN = 1 / 3

/** Turns a ranking into one decision with a limited number of options. */
export function decide(ranking: Ranking, mostOptions: number, visible: Visible): Decision {
  const [first] = ranking.hits
  if (!first) return { decision: 'no_match', evidence: typed(ranking, ranking.topics.asked) }
  const row = (hit: Hit) => rowOf(hit, visible)
  const ask = (decision: 'clarify_api' | 'clarify_entity', prompt: string, rivals: readonly Hit[]) => ({
    decision,
    prompt,
    options: [first, ...rivals].slice(0, mostOptions).map(row),
  })
  const apis = rivalApis(first, ranking)
  if (apis.length > 0) return ask('clarify_api', `Which \`api\` is meant by ${said(first, ranking)}?`, apis)
  const entities = rivalEntities(first, ranking)
  if (entities.length > 0)
    return ask('clarify_entity', `Which entity is meant by ${said(first, ranking)}?`, entities)
  const target = relationTarget(first, ranking) ?? first
  const open = openWords(target, ranking)
  if (open.length > 0) {
    const prompt = `What does ${open.map((word) => `\`${word}\``).join(', ')} say of ${target.entity.name}?`
    const options = neighbours(target, visible).slice(0, mostOptions)
    return { decision: 'clarify_qualifier', prompt, target: row(target), options }
  }
  const others = ranking.hits.filter((hit) => hit !== target).slice(0, mostOptions)
  return { decision: 'ready', target: row(target), with: others.map(row) }
}

/** The decision as an agent reads it. */
export function decisionText(decision: Decision): string {
  const json = JSON.stringify(decision, null, 2)
  const fence = '`'.repeat(Math.max(3, ...(json.match(/`+/g) ?? []).map((run) => run.length + 1)))
  return `${fence}json\n${json}\n${fence}`
}

/** Every row that a decision shows. */
export function rowsOf(decision: Decision): readonly DiscoveryRow[] {
  if (decision.decision === 'no_match') return []
  if (decision.decision === 'ready') return [decision.target, ...decision.with]
  return decision.decision === 'clarify_qualifier' ? [decision.target, ...decision.options] : decision.options
}

/** Hits of other catalogs that cover the goal equally, if it names no catalog: the best of each. */
function rivalApis(first: Hit, { hits, brands }: Ranking): Hit[] {
  const seen = new Set([first.catalog])
  return hits.filter((hit) => {
    const rival =
      brands.size === 0 &&
      !seen.has(hit.catalog) &&
      hit.score >= first.score * CLOSE &&
      names(first).some((at) => names(hit).includes(at))
    if (rival) seen.add(hit.catalog)
    return rival
  })
}

/** Hits of the same catalog whose names match the same words. */
function rivalEntities(first: Hit, { hits }: Ranking): Hit[] {
  const own = names(first)
  return hits.filter(
    (hit) =>
      hit !== first &&
      hit.catalog === first.catalog &&
      own.length > 0 &&
      own.length === names(hit).length &&
      own.every((at) => strengthAt(hit, at) >= strengthAt(first, at) * CLOSE),
  )
}

/** If the goal names both ends of a relation, as in `the thing's comments`, the target of the relation is wanted. */
function relationTarget(first: Hit, { hits }: Ranking): Hit | undefined {
  if (!first.named) return undefined
  const joins = joinsOf(first.catalog)
  const leads = (from: Hit, to: Hit) =>
    joins.some((join) => join.relation && join.from === from.entity.name && join.to === to.entity.name)
  return hits.find(
    (hit) => hit.named && hit.catalog === first.catalog && leads(first, hit) && !leads(hit, first),
  )
}

/** The words that neither the target nor another hit of its catalog covers, if they are a large share of the goal. */
function openWords(target: Hit, ranking: Ranking): string[] {
  const { hits, topics, brands } = ranking
  const near = hits.filter(({ catalog }) => catalog === target.catalog || brands.has(catalog.id))
  const open = topics.asked.filter((at) => !near.some(({ evidence }) => evidence.has(at)))
  const weigh = (words: readonly number[]) =>
    words.reduce((sum, at) => sum + (topics.words[at]?.need ?? 0), 0)
  return weigh(open) > weigh(topics.asked) * MUCH_OPEN ? typed(ranking, open) : []
}

function neighbours({ catalog, entity }: Hit, visible: Visible): DiscoveryRow[] {
  const { entities, capabilitiesOf } = indexOf(catalog)
  const near = joinsOf(catalog).flatMap(({ from, to }) =>
    from === entity.name ? [to] : to === entity.name ? [from] : [],
  )
  return [...new Set(near)]
    .flatMap((name) => entities.get(name) ?? [])
    .filter(({ name }) => capabilitiesOf(name).some((one) => visible.mayUseCapability(catalog.id, one.name)))
    .map((one) => rowOf({ catalog, entity: one }, visible))
}

function names({ evidence }: Find): number[] {
  return [...evidence].flatMap(([at, { level }]) => (level === 3 ? [at] : [])).toSorted((a, b) => a - b)
}

function strengthAt({ evidence }: Find, at: number): number {
  const found = evidence.get(at)
  return found?.level === 3 ? found.strength : 0
}

function said(hit: Hit, ranking: Ranking): string {
  const words = typed(ranking, names(hit))
  return words.length === 0 ? 'this' : words.map((word) => `\`${word}\``).join(', ')
}

function typed({ topics }: Ranking, words: readonly number[]): string[] {
  return words.flatMap((at) => topics.words[at]?.typed ?? [])
}
