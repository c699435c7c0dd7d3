import { fenced } from '../base/text/fenced.ts'
import type { Visible } from './corpus.ts'
import type { Hit, Ranking } from './rank.ts'
import { rowOf, type DiscoveryRow } from './rows.ts'

/** The answer for a host that wants one entity for a goal: that entity, or a question to ask first. */
export type Decision =
  /** `with`: the other entities that the goal may need. */
  | { readonly decision: 'ready'; readonly target: DiscoveryRow; readonly with: readonly DiscoveryRow[] }
  | {
      readonly decision: 'clarify_api' | 'clarify_entity'
      readonly prompt: string
      readonly options: readonly DiscoveryRow[]
    }
  /** `evidence`: services that the goal names and that are not connected; `nearest`: the rows that come closest. */
  | {
      readonly decision: 'no_match'
      readonly evidence: readonly string[]
      readonly nearest: readonly DiscoveryRow[]
    }

/** Scores this close count as equal. */
const CLOSE = 0.9
/** The most rows of a decision that nothing fits. */
const NEAREST = 5

/** Turns a ranking into one decision with a limited number of options. */
export function decide({ hits, named, foreign }: Ranking, mostOptions: number, visible: Visible): Decision {
  const row = (hit: Hit) => rowOf(hit, visible)
  const fitting = hits.filter(({ band }) => band !== 'weak')
  const [first] = fitting
  if (!first) {
    const nearest = hits.slice(0, Math.min(NEAREST, mostOptions)).map(row)
    return { decision: 'no_match', evidence: foreign, nearest }
  }
  const rivals = fitting.filter((hit) => hit !== first && hit.score >= first.score - CLOSE)
  const ask = (decision: 'clarify_api' | 'clarify_entity', thing: string, others: readonly Hit[]) => ({
    decision,
    prompt: `Which ${thing} is meant?`,
    options: [first, ...others].slice(0, mostOptions).map(row),
  })
  const { catalog, entity } = first.entry
  const apis = rivals.filter(({ entry }) => entry.catalog !== catalog && entry.entity.name === entity.name)
  if (apis.length > 0 && named.size === 0) return ask('clarify_api', `\`api\` with ${entity.name}`, apis)
  const entities = rivals.filter(({ entry }) => entry.catalog === catalog)
  if (entities.length > 0) return ask('clarify_entity', `entity of ${catalog.id}`, entities)
  const others = fitting.filter((hit) => hit !== first).slice(0, mostOptions)
  return { decision: 'ready', target: row(first), with: others.map(row) }
}

/** The decision as an agent reads it. */
export function decisionText(decision: Decision): string {
  return fenced(JSON.stringify(decision, null, 2), 'json')
}

/** Every row that a decision shows. */
export function rowsIn(decision: Decision): readonly DiscoveryRow[] {
  if (decision.decision === 'no_match') return decision.nearest
  return decision.decision === 'ready' ? [decision.target, ...decision.with] : decision.options
}
