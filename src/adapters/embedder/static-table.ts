import type { WordTable } from '../../discovery/embedder.ts'
import { wordPieces } from './word-piece.ts'

/** The first bytes of a table: its format. */
const MAGIC = 'plasmvec'
const HEADER_BYTES = 20
/** The most characters of a text that are read. */
const MAX_TEXT_LENGTH = 2048

/** A vector for each piece of the vocabulary: `rows` holds them one after another, each to be multiplied by its scale. */
export interface Table {
  readonly dimensions: number
  readonly vocabulary: readonly string[]
  /** The names of services, in lower case and without spaces. */
  readonly services: readonly string[]
  readonly scales: Float32Array
  readonly rows: Int8Array
}

/**
 * The bytes of a table, all numbers little-endian: `plasmvec`, the dimensions, the number of pieces and the bytes of the
 * texts as 32 bits each; a scale of 32 bits a piece; the rows, 8 bits a number; in UTF-8, the pieces and then the services,
 * one a line.
 */
export function tableBytes({ dimensions, vocabulary, services, scales, rows }: Table): Uint8Array {
  const words = new TextEncoder().encode([...vocabulary, ...services].join('\n'))
  const bytes = new Uint8Array(HEADER_BYTES + scales.length * 4 + rows.length + words.length)
  const view = new DataView(bytes.buffer)
  bytes.set(new TextEncoder().encode(MAGIC))
  for (const [at, value] of [dimensions, vocabulary.length, words.length].entries())
    view.setUint32(8 + 4 * at, value, true)
  for (const [at, scale] of scales.entries()) view.setFloat32(HEADER_BYTES + 4 * at, scale, true)
  bytes.set(new Uint8Array(rows.buffer, rows.byteOffset, rows.length), HEADER_BYTES + scales.length * 4)
  bytes.set(words, bytes.length - words.length)
  return bytes
}

/** Reads what `tableBytes` wrote; throws if the bytes are something else, because they are part of the program. */
export function readTable(bytes: Uint8Array): Table {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const decoder = new TextDecoder()
  if (decoder.decode(bytes.subarray(0, 8)) !== MAGIC) throw new Error('This is no table of word vectors.')
  const numberAt = (at: number) => view.getUint32(at, true)
  const [dimensions, count, wordBytes] = [numberAt(8), numberAt(12), numberAt(16)]
  const scales = Float32Array.from({ length: count }, (_, at) => view.getFloat32(HEADER_BYTES + 4 * at, true))
  const from = HEADER_BYTES + 4 * count
  const to = from + count * dimensions
  if (bytes.length !== to + wordBytes) throw new Error('The table of word vectors is cut off.')
  const words = decoder.decode(bytes.subarray(to)).split('\n')
  return {
    dimensions,
    vocabulary: words.slice(0, count),
    services: words.slice(count),
    scales,
    rows: new Int8Array(bytes.buffer, bytes.byteOffset + from, count * dimensions),
  }
}

/** An embedder that adds up the vectors of a text's pieces. */
export function wordTable({ dimensions, vocabulary, services, scales, rows }: Table): WordTable {
  const places = new Map(vocabulary.map((piece, at) => [piece, at]))
  const known = new Set(services)
  return {
    dimensions,
    embed: (text) => {
      const sum = new Float32Array(dimensions)
      for (const piece of wordPieces(text.slice(0, MAX_TEXT_LENGTH), places)) {
        const scale = scales[piece] ?? 0
        const start = piece * dimensions
        for (let at = 0; at < dimensions; at++) sum[at] = (sum[at] ?? 0) + scale * (rows[start + at] ?? 0)
      }
      let square = 0
      for (const value of sum) square += value * value
      return square === 0 ? sum : sum.map((value) => value / Math.sqrt(square))
    },
    isWord: (word) => places.has(word),
    isService: (name) => known.has(name),
  }
}
