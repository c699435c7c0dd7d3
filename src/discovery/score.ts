import type { Entry } from './corpus.ts'
import { lexical } from './lexical.ts'
import type { Named } from './named.ts'
import { cosine, rowFor, vectorsIn } from './vectors.ts'
import type { View } from './view.ts'

/**
 * The weights of a score, chosen on goals with known answers (`npm run discovery:goals`): how close an entity is
 * in meaning, how well its words match, how many of the words its API has at all, and that the goal names the API.
 */
const MEANING = 8
const WORDS = 1.2
const API = 3
const NAMED = 2

/** How many entities are compared by each of their texts: those whose texts are closest on the whole. */
const CLOSE = 500

/** How well each entity serves a text, by its number; the same scale for every text. */
export function scores(text: string, view: View, named: Named): Float32Array {
  const { corpus, embedder, searched, sees } = view
  const { catalogs, entries, catalogOf } = corpus
  const { words, coverage } = lexical(text, view)
  const vectors = vectorsIn(embedder)(corpus).whole()
  const vector = rowFor(embedder, text)
  const rough = new Float32Array(entries.length).map((_, at) => cosine(vectors.entries, at, vector))
  const least = rough.length > CLOSE ? (rough.toSorted().at(-CLOSE) ?? 0) : -1
  const nearest = ({ first, end }: Entry) => {
    let near = 0
    for (let document = first; document < end; document++)
      if (sees(document)) near = Math.max(near, cosine(vectors.documents, document, vector))
    return near
  }
  const bonus = catalogs.map(({ id }) => (named.has(id) ? NAMED : 0))
  return rough.map((roughly, at) => {
    const catalog = catalogOf[at] ?? 0
    if (searched[catalog] !== 1) return 0
    const entry = roughly >= least ? entries[at] : undefined
    const near = entry ? nearest(entry) : 0
    const score = MEANING * near + WORDS * Math.log1p(words[at] ?? 0) + API * (coverage[catalog] ?? 0)
    return score > 0 ? score + (bonus[catalog] ?? 0) : 0
  })
}
