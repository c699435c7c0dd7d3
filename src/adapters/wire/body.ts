import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { codeOf } from '../../base/errors.ts'

/** The response exceeds the size limit. */
export class TooLarge extends Error {}

/** The response's encoding is unknown, or its bytes are invalid in it. */
export class Undecodable extends Error {}

/**
 * Reads a whole body, then decompresses it. The limit `maxBytes` applies to both sizes, which stops decompression bombs.
 * Rejects with `TooLarge`, `Undecodable` or the connection's error.
 *
 * The body is read without pauses: the HTTP client throws, outside of any call, when a server closes a connection whose
 * body waits for its reader, as it would for a decoder.
 */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  // An error while the body is read rejects below; one after that has no effect.
  body.on('error', () => {})
  try {
    const steps = decoders(encoding)
    const bytes = await collected(body, maxBytes)
    if (steps.length === 0) return bytes
    // An error on either side ends both.
    const decoded = steps.reduce<Readable>((from, to) => pipeline(from, to, () => {}), Readable.from([bytes]))
    return await collected(decoded, maxBytes)
  } catch (error) {
    // Closes the connection if the body was not read to its end.
    body.destroy()
    throw isZlibError(error) ? new Undecodable('its compressed data is damaged', { cause: error }) : error
  }
}

/**
 * Uses events: an async iterator costs several promises per chunk. Copies each chunk as it arrives: to join all of them at the end
 * would block the thread for milliseconds. A body of more than one chunk has memory of its own.
 */
function collected(source: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    let held: Buffer = Buffer.alloc(0)
    let bytes = 0
    source.on('data', (piece: Buffer) => {
      const before = bytes
      bytes += piece.length
      // A decoder would go on with the rest otherwise.
      if (bytes > maxBytes) return void source.destroy(new TooLarge())
      if (before === 0) return void (held = piece)
      if (bytes > held.length) held = grown(held.subarray(0, before), bytes, maxBytes)
      piece.copy(held, before)
    })
    source.on('end', () => resolve(held.subarray(0, bytes)))
    source.on('error', reject)
    source.on('close', () => reject(new Error('the connection was closed before the end of the body')))
  })
}

/** These bytes at the beginning of memory for at least so many, and twice as many if there may be. */
function grown(held: Buffer, least: number, most: number): Buffer {
  const larger = Buffer.allocUnsafeSlow(Math.max(least, Math.min(2 * least, most)))
  held.copy(larger)
  return larger
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
