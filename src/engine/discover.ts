import { Pace } from '../base/slices/pace.ts'
import { Sliced } from '../base/slices/sliced.ts'
import type { CatalogSet } from '../catalog/lookup.ts'
import type { Corpus } from '../discovery/corpus.ts'
import type { WordTable } from '../discovery/embedder.ts'
import { answer, ask, prepare } from '../discovery/discover.ts'
import { meaningByWords } from '../discovery/meaning.ts'
import { readIntent } from '../session/identity.ts'
import { readArguments } from './arguments.ts'
import { refuse } from './reply/answer.ts'
import { type DiscoverFacts, discoverInput, type Reply } from './contract.ts'
import type { EngineCall } from './call.ts'
import { engineProblem } from './problems.ts'

/** Longer goals take milliseconds: they are answered in slices. */
const LONG = 500

/** `discover_capabilities`: the entities that fit one goal, over every catalog that the caller may use. */
export async function discover(
  { catalogs, caller, wordTable, sentences, clock, pause }: EngineCall,
  input: unknown,
): Promise<Reply<DiscoverFacts>> {
  const parsed = readArguments(discoverInput, input)
  if (!parsed.ok) return refuse(parsed.problems)
  const intent = readIntent(parsed.value.intent)
  if ('wrong' in intent) return refuse([engineProblem('bad_intent', intent, { path: 'intent' })])
  const table = await wordTable()
  const set = catalogs.current()
  const corpus = await prepared(set, table, pause)
  const pace = new Pace(clock, pause)
  const isLong = intent.intent.length > LONG
  const made = async <Made>(steps: Iterator<void, Made>): Promise<Made> =>
    isLong ? pace.made(steps) : new Sliced(steps).whole()
  const asked = await made(ask(set, { ...parsed.value, intent: intent.intent }, caller, table))
  const bySentences = await sentences?.meaningOf(asked.question, pause)
  const found = await made(answer(asked, bySentences ?? meaningByWords(corpus, table)))
  // Unknown names are refused only if no known one is left to answer from.
  if (found.rows.length === 0 && found.problems.length > 0) return refuse(found.problems)
  const { text, rows, truncated, omitted, topOmitted } = found
  const discovery = { truncated, shown: rows.length, omitted, top_omitted: topOmitted }
  return { ok: true, text: `${text}\n`, meta: truncated ? { discovery } : {}, facts: { rows, truncated } }
}

/** The corpus of a set with all that is derived from it, in slices. */
export async function prepared(
  set: CatalogSet,
  table: WordTable,
  pause: () => Promise<void>,
): Promise<Corpus> {
  const steps = prepare(set, table)
  let step = steps.next()
  for (; !step.done; step = steps.next()) await pause()
  return step.value
}
