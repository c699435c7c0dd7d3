/** Vectors of texts whose cosine says how close the texts are in meaning. */
export interface Embedder {
  readonly dimensions: number
  /** The vector of a text, of length 1; all zero where the text has no known word. */
  readonly embed: (text: string) => Float32Array
  /** Is this word, in lower case, in the vocabulary as a whole? */
  readonly isWord: (word: string) => boolean
  /** Is this the name of a known service, in lower case and without spaces? */
  readonly isService: (name: string) => boolean
}
