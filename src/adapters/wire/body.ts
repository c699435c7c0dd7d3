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
  const chunks: Buffer[] = []
  let bytes = 0
  // What breaks while the body is read comes through the loop; what breaks after that concerns nobody.
  body.on('error', () => {})
  try {
    // An error on either side ends both; leaving the loop early closes the connection.
    const source = decoders(encoding).reduce<Readable>((from, to) => pipeline(from, to, () => {}), body)
    for await (const chunk of source) {
      const piece: Buffer = chunk
      bytes += piece.length
      if (bytes > maxBytes) throw new TooLarge()
      chunks.push(piece)
    }
  } catch (error) {
    body.destroy()
    throw isZlibError(error) ? new Undecodable('its compressed data is damaged', { cause: error }) : error
  }
  return Buffer.concat(chunks)
}

/** More layers than this are an attack. */
const MOST_LAYERS = 3

function decoders(encoding: string): Transform[] {
  const layers = encoding.split(',').map((layer) => layer.trim().toLowerCase())
  const coded = layers.filter((layer) => layer !== '' && layer !== 'identity')
  if (coded.length > MOST_LAYERS) throw new Undecodable('it is compressed too many times')
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
