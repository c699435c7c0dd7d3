import type { Corpus, Document, Entry } from './corpus.ts'
import type { Embedder } from './embedder.ts'
import type { Named } from './named.ts'
import { cosine, vectorsIn } from './vectors.ts'
import { terms } from '../base/words.ts'

/**
 * The weights of a score, from a logistic fit on goals with known answers (`npm run discovery:goals`): how close an entity is
 * in meaning, how well its words match, how many of the words its API has at all, and that the goal names the API.
 */
const MEANING = 4.5
const WORDS = 1.2
const API = 5
const NAMED = 1
/** The rarity of a word in one of a thousand texts: BM25 is put on that scale, because it grows with the number of texts. */
const RARE = 7.2

/** How many entities are compared by each of their texts: those whose texts are closest on the whole. */
const CLOSE = 500

/** What a caller may see of a corpus. */
export interface View {
  readonly corpus: Corpus
  readonly embedder: Embedder
  readonly considers: (entry: Entry) => boolean
  readonly sees: (document: Document) => boolean
}

/** How well each entity serves a text, by its number; the same scale for every text. */
export function scores(text: string, view: View, named: Named): Float64Array {
  const { corpus, embedder, considers, sees } = view
  const { words, coverage } = lexical(text, view)
  const vectors = vectorsIn(embedder)(corpus).whole()
  const vector = embedder.embed(text)
  const rough = corpus.entries.map(({ at }) => cosine(vectors.entries, at, vector))
  const least = rough.length > CLOSE ? (Float64Array.from(rough).toSorted().at(-CLOSE) ?? 0) : -1
  const result = new Float64Array(corpus.entries.length)
  for (const entry of corpus.entries) {
    if (!considers(entry)) continue
    let near = 0
    if ((rough[entry.at] ?? 0) >= least) {
      for (const document of entry.documents) {
        const value = cosine(vectors.documents, document.at, vector)
        if (value > near && sees(document)) near = value
      }
    }
    const { id } = entry.catalog
    const score = MEANING * near + WORDS * Math.log1p(words[entry.at] ?? 0) + API * (coverage.get(id) ?? 0)
    result[entry.at] = score > 0 && named.has(id) ? score + NAMED : score
  }
  return result
}

interface Lexical {
  /** BM25 of the entity and of the best of its capabilities, by the number of the entity. */
  readonly words: Float64Array
  /** The share of the text's words, by rarity, that one entity of a catalog has: of the best one. */
  readonly coverage: ReadonlyMap<string, number>
}

function lexical(text: string, { corpus, considers, sees }: View): Lexical {
  const own = new Float64Array(corpus.entries.length)
  const best = new Float64Array(corpus.entries.length)
  const matched = new Map<Entry, Set<string>>()
  const counts = new Map<string, number>()
  for (const { id, score, queryTerms } of corpus.engine.search(text)) {
    const document = corpus.documents[Number(id)]
    const entry = document && corpus.entries[document.entry]
    if (!entry || !considers(entry) || !sees(document)) continue
    if (document.capability) best[entry.at] = Math.max(best[entry.at] ?? 0, score)
    else own[entry.at] = score
    const roots = matched.get(entry) ?? new Set<string>()
    matched.set(entry, roots)
    for (const root of queryTerms) {
      roots.add(root)
      counts.set(root, (counts.get(root) ?? 0) + 1)
    }
  }
  const rarity = (root: string) => {
    const count = counts.get(root) ?? 0
    return Math.log(1 + (corpus.documents.length - count + 0.5) / (count + 0.5))
  }
  const weigh = (roots: Iterable<string>) => {
    let sum = 0
    for (const root of roots) sum += rarity(root)
    return sum
  }
  const all = weigh(new Set(terms(text)))
  const coverage = new Map<string, number>()
  for (const [{ catalog }, roots] of matched)
    coverage.set(catalog.id, Math.max(coverage.get(catalog.id) ?? 0, weigh(roots) / all))
  const scale = RARE / rarity('')
  return { words: own.map((score, at) => (score + (best[at] ?? 0)) * scale), coverage }
}
