import type { Entry } from './corpus.ts'
import { lexical } from './lexical.ts'
import type { Meaning } from './meaning.ts'
import type { Question } from './question.ts'
import { cosine } from './vectors.ts'

/** How many entities are compared by each of their texts: those whose texts are closest on the whole. */
const CLOSE = 500

/** How well each entity serves a text, by its number; the same scale for every text. */
export function scoresFor(text: string, { view, named }: Question, meaning: Meaning): Float32Array {
  const { corpus, searched, sees } = view
  const { vectors, vectorOf, weights } = meaning
  const { catalogs, entries, catalogOf } = corpus
  const { words, coverage } = lexical(text, view)
  const vector = vectorOf(text)
  const rough = new Float32Array(entries.length).map((_, at) => cosine(vectors.entries, at, vector))
  const least = rough.length > CLOSE ? (rough.toSorted().at(-CLOSE) ?? 0) : -1
  const nearest = ({ first, end }: Entry) => {
    let near = 0
    for (let document = first; document < end; document++)
      if (sees(document)) near = Math.max(near, cosine(vectors.documents, document, vector))
    return near
  }
  const bonus = catalogs.map(({ id }) => (named.has(id) ? weights.named : 0))
  return rough.map((roughly, at) => {
    const catalog = catalogOf[at] ?? 0
    if (searched[catalog] !== 1) return 0
    const entry = roughly >= least ? entries[at] : undefined
    const near = entry ? nearest(entry) : 0
    const score =
      weights.meaning * near +
      weights.words * Math.log1p(words[at] ?? 0) +
      weights.api * (coverage[catalog] ?? 0)
    return score > 0 ? score + (bonus[catalog] ?? 0) : 0
  })
}
