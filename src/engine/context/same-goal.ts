import { stem } from '../../base/words/stem.ts'
import { nameStems, terms } from '../../base/words/words.ts'

/** The share of their words that two intents for one goal have in common, at least. */
const ALIKE = 0.4

/** What an agent does with any rows: two goals may do the same with different things. */
const OPERATIONS = new Set(
  'read open check compare summarize collect count fetch search create add make write send update edit change set delete remove close'
    .split(' ')
    .map(stem),
)

/**
 * Do two intents speak of the same goal in other words? Sessions over one API share entities whatever their goals are, so
 * the words decide that remain without the names of the shared entities, operations and words of every sentence: two of
 * them at least, or all.
 *
 * @param shared `api:Entity`: what both sessions expose
 */
export function isSameGoal(a: string, b: string, shared: readonly string[]): boolean {
  if (shared.length === 0) return false
  const named = new Set(shared.flatMap(nameStems))
  const [own, other] = [subjectsOf(a, named), subjectsOf(b, named)]
  const both = [...own].filter((root) => other.has(root)).length
  const all = new Set([...own, ...other]).size
  return both > 0 && (both === all || (both >= 2 && both / all >= ALIKE))
}

/** The stems of what an intent is about, without those that are known already. */
function subjectsOf(intent: string, named: ReadonlySet<string>): Set<string> {
  return new Set(terms(intent).filter((root) => !OPERATIONS.has(root) && !named.has(root)))
}
