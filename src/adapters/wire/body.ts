import { pipeline, Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

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

/** Uses events: an async iterator costs several promises per chunk. */
function collected(source: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    source.on('data', (piece: Buffer) => {
      bytes += piece.length
      // A decoder would go on with the rest otherwise.
      if (bytes > maxBytes) source.destroy(new TooLarge())
      else chunks.push(piece)
    })
    source.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    source.on('error', reject)
    source.on('close', () => reject(new Error('the connection was closed before the end of the body')))
  })
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
  return error instanceof Error && 'code' in error && /^(Z_|ERR__)/.test(String(error.code))
}
