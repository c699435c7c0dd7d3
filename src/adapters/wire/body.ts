import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeOf } from '../../base/errors.ts'

/** The response exceeds the size limit. */
export class TooLarge extends Error {}

/** The response's encoding is unknown, or its bytes are invalid in it. */
export class Undecodable extends Error {}

/** A body in pieces, in their order. Where there are several, their memory is their own. */
export type Body = readonly Uint8Array[]

/** The pieces of a larger body have so many bytes. */
const PIECE_BYTES = 128 * 1024

/** How many bytes a body has. */
export function lengthOf(body: Body): number {
  return body.reduce((sum, { length }) => sum + length, 0)
}

/**
 * Reads a whole body, then decompresses it. The limit `maxBytes` applies to both sizes, which stops decompression bombs.
 * Rejects with `TooLarge`, `Undecodable` or the connection's error.
 *
 * The body is read without pauses: the HTTP client throws, outside of any call, when a server closes a connection whose
 * body waits for its reader, as it would for a decoder.
 */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Body> {
  // An error while the body is read rejects below; one after that has no effect.
  body.on('error', () => {})
  try {
    const steps = decoders(encoding)
    const pieces = await collected(body, maxBytes)
    if (steps.length === 0) return pieces
    // An error on either side ends both.
    const decoded = steps.reduce<Readable>((from, to) => pipeline(from, to, () => {}), Readable.from(pieces))
    return await collected(decoded, maxBytes)
  } catch (error) {
    // Closes the connection if the body was not read to its end.
    body.destroy()
    throw isZlibError(error) ? new Undecodable('its compressed data is damaged', { cause: error }) : error
  }
}

/** Uses events: an async iterator costs several promises per chunk. */
function collected(source: Readable, maxBytes: number): Promise<Body> {
  return new Promise((resolve, reject) => {
    let first: Buffer | undefined
    const pieces = new Pieces()
    let bytes = 0
    source.on('data', (chunk: Buffer) => {
      bytes += chunk.length
      // A decoder would go on with the rest otherwise.
      if (bytes > maxBytes) return void source.destroy(new TooLarge())
      if (first === undefined) return void (first = chunk)
      if (pieces.isEmpty) pieces.add(first)
      pieces.add(chunk)
    })
    source.on('end', () => resolve(pieces.isEmpty ? (first ? [first] : []) : pieces.all()))
    source.on('error', reject)
    source.on('close', () => reject(new Error('the connection was closed before the end of the body')))
  })
}

/**
 * Copies chunks as they arrive into pieces of one size: to join all of them at the end, or to move them to larger and larger
 * memory, would block the thread for milliseconds, and to keep each would hold more memory than its bytes.
 */
class Pieces {
  readonly #full: Buffer[] = []
  #last = Buffer.alloc(0)
  /** The bytes of the last piece that are filled. */
  #filled = 0

  get isEmpty(): boolean {
    return this.#last.length === 0
  }

  add(chunk: Buffer): void {
    for (let from = 0; from < chunk.length;) {
      if (this.#filled === this.#last.length) this.#begin()
      const copied = chunk.copy(this.#last, this.#filled, from)
      this.#filled += copied
      from += copied
    }
  }

  all(): Body {
    return [...this.#full, this.#last.subarray(0, this.#filled)]
  }

  #begin(): void {
    if (this.#filled > 0) this.#full.push(this.#last)
    this.#last = Buffer.allocUnsafeSlow(PIECE_BYTES)
    this.#filled = 0
  }
}

/** More nested encodings than this are treated as an attack. */
const MAX_LAYERS = 3

function decoders(encoding: string): Transform[] {
  const layers = encoding.split(',').map((layer) => layer.trim().toLowerCase())
  const coded = layers.filter((layer) => layer !== '' && layer !== 'identity')
  if (coded.length > MAX_LAYERS) throw new Undecodable('it is compressed too many times')
  return coded.toReversed().map(decoder)
}

function decoder(layer: string): Transform {
  switch (layer) {
    case 'gzip':
    case 'x-gzip':
      return createGunzip()
    case 'deflate':
      return createInflate()
    case 'br':
      return createBrotliDecompress()
    default:
      throw new Undecodable('its content encoding is unknown')
  }
}

function isZlibError(error: unknown): boolean {
  return /^(?:Z_|ERR__)/.test(codeOf(error) ?? '')
}
