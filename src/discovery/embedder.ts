/** Vectors of texts whose cosine says how close the texts are in meaning. */
export interface Embedder {
  readonly dimensions: number
  /** The vector of a text, of length 1; all zero where the text has no known word. */
  readonly embed: (text: string) => Float32Array
}

/** An embedder that adds up the vectors of words, which it has for any text at once. */
export interface WordTable extends Embedder {
  /** Is this word, in lower case, in the vocabulary as a whole? */
  readonly isWord: (word: string) => boolean
  /** Is this the name of a known service, in lower case and without spaces? */
  readonly isService: (name: string) => boolean
}

/** A model that embeds whole sentences. It takes tens of milliseconds a text, elsewhere: it is asked for vectors beforehand. */
export interface SentenceModel {
  readonly dimensions: number
  /** The vector of a text of a catalog, of length 1; undefined unless it is kept. */
  readonly kept: (text: string) => Float32Array | undefined
  /** Embeds texts of catalogs and keeps their vectors; false where not all could be. Goals go first. */
  readonly keep: (texts: readonly string[]) => Promise<boolean>
  /** The vectors of the texts of one goal, in their order; undefined where the model fails. */
  readonly embed: (texts: readonly string[]) => Promise<readonly Float32Array[] | undefined>
}
