import type { Corpus } from '../../discovery/corpus.ts'
import type { SentenceModel } from '../../discovery/embedder.ts'
import { type Meaning, meaningBySentences } from '../../discovery/meaning.ts'
import type { Question } from '../../discovery/question.ts'
import { embeddedIn, type Vectors } from '../../discovery/vectors.ts'

/** The vectors of catalogs by the model of sentences, as far as the model has embedded their texts. */
export class Sentences {
  readonly #model: SentenceModel
  readonly #known = new WeakMap<Corpus, Vectors>()
  /** Those under way, and those that the model could not embed. */
  readonly #begun = new WeakSet<Corpus>()

  constructor(model: SentenceModel) {
    this.#model = model
  }

  /**
   * How the model compares the texts of a goal; undefined while the catalogs are being embedded, and where the model fails.
   *
   * @param pause lets other work go on
   */
  async meaningOf({ view, texts }: Question, pause: () => Promise<void>): Promise<Meaning | undefined> {
    const vectors = await this.vectorsOf(view.corpus, pause)
    const embedded = vectors && (await this.#model.embed(texts))
    if (!embedded) return undefined
    const pairs = texts.flatMap((text, at) =>
      embedded.slice(at, at + 1).map((vector) => [text, vector] as const),
    )
    return meaningBySentences(vectors, new Map(pairs))
  }

  /** The vectors of a corpus; undefined until all its texts are embedded, which the first call begins. */
  async vectorsOf(corpus: Corpus, pause: () => Promise<void>): Promise<Vectors | undefined> {
    const known = this.#known.get(corpus)
    if (known || this.#begun.has(corpus)) return known
    this.#begun.add(corpus)
    const making = embeddedIn(corpus, this.#model)
    let made = making.next()
    for (; !made.done; made = making.next()) await pause()
    if ('vectors' in made.value) {
      this.#known.set(corpus, made.value.vectors)
      return made.value.vectors
    }
    void this.#model.keep(made.value.missing).then((areKept) => areKept && this.#begun.delete(corpus))
    return undefined
  }
}
