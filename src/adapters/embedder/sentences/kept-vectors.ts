import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { LRUCache } from 'lru-cache'
import { replaceFile } from '../../files/replace.ts'

/** A vector in 8 bits a number, each to be multiplied by the scale. */
interface Packed {
  readonly scale: number
  readonly values: Int8Array
}

const KEY_BYTES = 16
const SCALE_BYTES = 4
const DIGEST_BYTES = 32
/** So many records are written at once. */
const CHUNK = 500

/**
 * The vectors of texts by one model, in a file: of the texts themselves it holds only hashes. Those used last are kept.
 * The file holds the SHA-256 of the model's name; for each vector the first bytes of the SHA-256 of its text, the scale as
 * 32 bits (little-endian) and the numbers as 8 bits each; then the SHA-256 of everything before. A file of other
 * content counts as empty, and the next `save` replaces it.
 */
export class KeptVectors {
  readonly #path: string
  readonly #model: Buffer
  readonly #dimensions: number
  readonly #vectors: LRUCache<string, Packed>
  #saved: Promise<void> = Promise.resolve()

  private constructor(path: string, { model, dimensions, most }: KeptForm) {
    this.#path = path
    this.#model = createHash('sha256').update(model).digest()
    this.#dimensions = dimensions
    this.#vectors = new LRUCache({ max: most })
  }

  /** Reads the file, if it is there. */
  static async open(path: string, form: KeptForm): Promise<KeptVectors> {
    const vectors = new KeptVectors(path, form)
    const bytes = await readFile(path).catch(() => undefined)
    if (bytes) vectors.#read(bytes)
    return vectors
  }

  get(text: string): Float32Array | undefined {
    const packed = this.#vectors.get(keyOf(text))
    return packed && Float32Array.from(packed.values, (value) => value * packed.scale)
  }

  set(text: string, vector: Float32Array): void {
    const scale = vector.reduce((most, value) => Math.max(most, Math.abs(value)), 0) / 127
    const values = Int8Array.from(vector, (value) => (scale === 0 ? 0 : Math.round(value / scale)))
    this.#vectors.set(keyOf(text), { scale, values })
  }

  /** Writes the file, for its owner alone. Without a file that can be written, the next process embeds the texts again. */
  save(): Promise<void> {
    return (this.#saved = this.#saved
      .then(() => replaceFile(this.#path, this.#content()))
      .catch(() => undefined))
  }

  // In chunks: other work of the process is done between them.
  *#content(): Generator<Buffer> {
    const digest = createHash('sha256')
    for (const bytes of this.#chunks()) {
      digest.update(bytes)
      yield bytes
    }
    yield digest.digest()
  }

  *#chunks(): Generator<Buffer> {
    yield this.#model
    // The least recently used first: reading a file with too many drops these.
    const keys = [...this.#vectors.keys()].toReversed()
    for (let from = 0; from < keys.length; from += CHUNK)
      yield Buffer.concat(keys.slice(from, from + CHUNK).flatMap((key) => this.#record(key)))
  }

  #record(key: string): Buffer[] {
    const packed = this.#vectors.peek(key)
    if (!packed) return []
    const scale = Buffer.alloc(SCALE_BYTES)
    scale.writeFloatLE(packed.scale)
    return [Buffer.from(key, 'latin1'), scale, Buffer.from(packed.values.buffer)]
  }

  #read(bytes: Buffer): void {
    const end = bytes.length - DIGEST_BYTES
    const size = KEY_BYTES + SCALE_BYTES + this.#dimensions
    if (end < DIGEST_BYTES || (end - DIGEST_BYTES) % size !== 0) return
    const body = bytes.subarray(0, end)
    if (!createHash('sha256').update(body).digest().equals(bytes.subarray(end))) return
    if (!body.subarray(0, DIGEST_BYTES).equals(this.#model)) return
    for (let at = DIGEST_BYTES; at < end; at += size) {
      const key = body.toString('latin1', at, at + KEY_BYTES)
      const scale = body.readFloatLE(at + KEY_BYTES)
      this.#vectors.set(key, {
        scale,
        values: new Int8Array(body.subarray(at + KEY_BYTES + SCALE_BYTES, at + size)),
      })
    }
  }
}

/** What a file of vectors is for. */
export interface KeptForm {
  /** The name of the model with its version. */
  readonly model: string
  readonly dimensions: number
  /** The most vectors that are kept. */
  readonly most: number
}

function keyOf(text: string): string {
  return createHash('sha256').update(text).digest().toString('latin1', 0, KEY_BYTES)
}
