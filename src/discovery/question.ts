import { terms } from '../base/words/words.ts'
import type { CatalogSet } from '../catalog/lookup.ts'
import { corpusIn, type Visible } from './corpus.ts'
import type { WordTable } from './embedder.ts'
import { readGoal } from './goal.ts'
import { type Named, namedIn, type Phrase, phrasesOf, servicesIn } from './named.ts'
import { type View, viewOf } from './view.ts'

export interface Query {
  readonly intent: string
  /** Catalog ids to search; all by default, none if empty. */
  readonly allowed?: readonly string[]
}

/** A goal of a caller, as it is searched for. */
export interface Question {
  readonly view: View
  /** The whole goal with typing errors corrected, and then its parts, if there are several: each may need another API. */
  readonly texts: readonly [goal: string, ...parts: string[]]
  readonly named: Named
  /** Services that the goal names and that no catalog bears. */
  readonly foreign: readonly string[]
  /** The ids of the catalogs that are searched. */
  readonly considered: readonly string[]
}

/**
 * Reads a goal against what its caller may see.
 *
 * @yields after each step, of a few milliseconds for the longest goal
 */
export function* readQuestion(
  set: CatalogSet,
  query: Query,
  visible: Visible,
  table: WordTable,
): Generator<void, Question> {
  const allowed = query.allowed && new Set(query.allowed)
  const catalogs = [...set.byId.values()]
    .map(({ catalog }) => catalog)
    .filter(({ id }) => (allowed?.has(id) ?? true) && visible.mayUseCatalog(id))
  const considered = catalogs.map(({ id }) => id)
  const view = viewOf(corpusIn(set).whole(), table, new Set(considered), visible)
  yield
  const { text, parts } = readGoal(query.intent, view)
  yield
  const phrases = phrasesOf(text)
  yield
  const named = namedIn(phrases, catalogs)
  const foreign = named.size > 0 ? [] : foreignIn(phrases, view)
  return { view, texts: [text, ...parts], named, foreign, considered }
}

/** The services that a goal names, except those that a visible text mentions. */
function foreignIn(phrases: readonly Phrase[], { corpus, table, sees }: View): string[] {
  return servicesIn(phrases, table).filter((name) => {
    const [first, ...others] = terms(name).map((root) => new Set(corpus.index.postingsOf(root).texts))
    if (!first) return false
    for (const at of first) if (sees(at) && others.every((texts) => texts.has(at))) return false
    return true
  })
}
