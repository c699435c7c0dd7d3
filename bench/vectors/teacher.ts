import { closeSync, existsSync, openSync, readFileSync, statSync, truncateSync, writeSync } from 'node:fs'
import { matrix, type Matrix } from './matrix.ts'
import { modelIn } from './packages.ts'

/** The dimensions of the model's vectors. */
const WIDTH = 384
const ROW_BYTES = WIDTH * 4
/** So few texts at once are embedded in this thread, one after another: more would take every core. */
const BATCH = 16
const REPORT = 1024

interface Model {
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>
}

/**
 * The model's vectors of these texts, about 40 ms each. They are appended to a file, so that an interrupted build continues
 * where it stopped.
 */
export async function teach(packages: string, file: string, texts: readonly string[]): Promise<Matrix> {
  let done = existsSync(file) ? Math.floor(statSync(file).size / ROW_BYTES) : 0
  if (done < texts.length) {
    const model = await load(packages)
    const out = openSync(file, 'a')
    truncateSync(file, done * ROW_BYTES)
    while (done < texts.length) {
      const vectors = await model.embed(texts.slice(done, done + BATCH))
      for (const vector of vectors) writeSync(out, new Uint8Array(Float32Array.from(vector).buffer))
      done += vectors.length
      if (done % REPORT === 0) process.stderr.write(`${done} of ${texts.length} texts\n`)
    }
    closeSync(out)
  }
  const bytes = new Uint8Array(readFileSync(file)).slice(0, texts.length * ROW_BYTES)
  return matrix(texts.length, WIDTH, new Float32Array(bytes.buffer))
}

async function load(packages: string): Promise<Model> {
  const { embed: engine, weights: files } = modelIn(packages)
  const embed: { createEmbedder: (options: { readonly model: unknown }) => Promise<Model> } = await import(
    engine
  )
  const weights: { default: unknown } = await import(files)
  return embed.createEmbedder({ model: weights.default })
}
