import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'

/** The answer is larger than its reader wants. */
export class TooLarge extends Error {}

/** The answer's encoding is unknown or its bytes are not in it. */
export class Undecodable extends Error {}

/**
 * Reads a body to its end and decompresses it on the way. Counts what comes out, so that no bomb gets further than
 * `maxBytes`. Rejects with `TooLarge`, `Undecodable` or what broke the connection.
 */
export async function readBody(body: Readable, encoding: string, maxBytes: number): Promise<Buffer> {
  // An error while the body is read rejects below; one after that has no effect.
  body.on('error', () => {})
  try {
    // An error on either side ends both.
    const source = decoders(encoding).reduce<Readable>((from, to) => pipeline(from, to, () => {}), body)
    return await collected(source, maxBytes)
  } catch (error) {
    // Closes the connection where the body was left early.
    body.destroy()
    throw isZlibError(error) ? new Undecodable('its compressed data is damaged', { cause: error }) : error
  }
}

/** By events: an iterator of the stream costs several promises a chunk. */
function collected(source: Readable, maxBytes: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let bytes = 0
    source.on('data', (piece: Buffer) => {
      bytes += piece.length
      if (bytes > maxBytes) reject(new TooLarge())
      else chunks.push(piece)
    })
    source.on('end', () => resolve(chunks.length === 1 && chunks[0] ? chunks[0] : Buffer.concat(chunks)))
    source.on('error', reject)
    source.on('close', () => reject(new Error('the connection was closed before the end of the body')))
  })
}

/** More layers than this are an attack. */
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
