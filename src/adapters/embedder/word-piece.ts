/** Longer words have no pieces: the work for one word is quadratic in its length. */
const MAX_WORD_LENGTH = 64
const WORDS = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The pieces of a text by the vocabulary of an uncased BERT model: words in lower case without accents or marks, each
 * split into the longest pieces that the vocabulary has (`##` begins a piece inside a word). A word without pieces is left
 * out.
 */
export function wordPieces(text: string, vocabulary: ReadonlyMap<string, number>): number[] {
  const plain = text
    .toLowerCase()
    .normalize('NFD')
    .replace(/\p{Mn}/gu, '')
  return (plain.match(WORDS) ?? []).flatMap((word) => piecesOf(word, vocabulary))
}

function piecesOf(word: string, vocabulary: ReadonlyMap<string, number>): number[] {
  if (word.length > MAX_WORD_LENGTH) return []
  const pieces: number[] = []
  let start = 0
  while (start < word.length) {
    let end = word.length
    let piece: number | undefined
    for (; end > start && piece === undefined; end--) {
      piece = vocabulary.get((start > 0 ? '##' : '') + word.slice(start, end))
      if (piece !== undefined) break
    }
    if (piece === undefined) return []
    pieces.push(piece)
    start = end
  }
  return pieces
}
