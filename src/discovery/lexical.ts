import { stem } from '../base/words/stem.ts'
import { keywords } from '../base/words/words.ts'
import type { Corpus } from './corpus.ts'
import { similarIn } from './similar.ts'
import { Tally } from './tally.ts'
import type { View } from './view.ts'

/** The most words of a text that are looked up. */
const MAX_WORDS = 64
/** The rarity of a word in one of a thousand texts: scores are put on that scale, because rarity grows with their number. */
const RARE = 7.2

/** How the words of a text match. */
export interface Lexical {
  /** By entity: BM25 of its own document, and of the best of its capabilities. */
  readonly words: Float32Array
  /** By catalog: the share of the text's words, by rarity, that one entity has: of the best one. */
  readonly coverage: Float32Array
}

/** Matches the words of a text, and words similar to them; visits only documents that have one of these. */
export function lexical(text: string, { corpus, table, sees }: View): Lexical {
  const { entries, entryOf, capabilityOf, index } = corpus
  const count = capabilityOf.length
  const similarTo = similarIn(table)(corpus).whole()
  const tally = new Tally(count)
  const covered = new Float32Array(entries.length)
  const places = new Uint32Array(count)
  let all = 0
  for (const [root, word] of wordsOf(text)) {
    const others = similarTo(word).filter((other) => other.root !== root)
    for (const { root: wanted, likeness } of [{ root, likeness: 1 }, ...others]) {
      const { texts, shares } = index.postingsOf(wanted)
      let visible = 0
      for (let place = 0; place < texts.length; place++)
        if (sees(texts[place] ?? 0)) places[visible++] = place
      const rarity = rarityOf(visible, count)
      let last = -1
      for (const place of places.subarray(0, visible)) {
        const document = texts[place] ?? 0
        tally.meet(document, likeness * rarity * (shares[place] ?? 0), likeness)
        const entry = entryOf[document] ?? 0
        // The documents of an entity follow one another.
        if (wanted === root && entry !== last) covered[entry] = (covered[entry] ?? 0) + rarity
        last = entry
      }
      if (wanted === root) all += rarity
    }
    tally.next()
  }
  return byEntity(
    tally,
    covered.map((rarities) => rarities / all),
    corpus,
  )
}

/** The words that a text is searched by: one for each stem. */
function wordsOf(text: string): ReadonlyMap<string, string> {
  return new Map(
    keywords(text)
      .slice(0, MAX_WORDS)
      .map((word) => [stem(word), word]),
  )
}

function byEntity({ sums, times }: Tally, covered: Float32Array, corpus: Corpus): Lexical {
  const { catalogs, entries, catalogOf, entryOf, capabilityOf } = corpus
  const words = new Float32Array(entries.length)
  const best = new Float32Array(entries.length)
  const coverage = new Float32Array(catalogs.length)
  const scale = RARE / rarityOf(0, sums.length)
  for (const [document, sum] of sums.entries()) {
    if (sum === 0) continue
    const entry = entryOf[document] ?? 0
    const score = sum * (times[document] ?? 0) * scale
    if (capabilityOf[document]) best[entry] = Math.max(best[entry] ?? 0, score)
    else words[entry] = score
    const catalog = catalogOf[entry] ?? 0
    coverage[catalog] = Math.max(coverage[catalog] ?? 0, covered[entry] ?? 0)
  }
  return { words: words.map((own, at) => own + (best[at] ?? 0)), coverage }
}

/** The inverse document frequency of a word that so many of the documents have. */
function rarityOf(having: number, count: number): number {
  return Math.log(1 + (count - having + 0.5) / (having + 0.5))
}
