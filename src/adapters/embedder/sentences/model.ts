import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import type { SentenceModel } from '../../../discovery/embedder.ts'
import { failed, ok, type Result } from '../../../base/diagnostic.ts'
import { JobThread } from '../../threads/job-thread.ts'
import { KeptVectors } from './kept-vectors.ts'
import { embedderProblem } from '../problems.ts'
import { installedPackages, PACKAGES, type Packages } from './packages.ts'
import type { EmbedJob } from './worker.ts'

const DIMENSIONS = 384
/** The most characters of a text that are read: the model learned from sentences, and its time grows with their length. */
const MAX_LENGTH = 512
/** The most texts of catalogs whose vectors are kept: 12 MB. */
const MAX_KEPT = 30_000
/** A goal that would wait behind more texts than this goes without the model. */
const MAX_WAITING = 20
/** How long a goal waits for the model, in ms. */
const GOAL_MS = 5000
/** After so many new vectors the file is written, so that a process that ends early loses little. */
const SAVED_AFTER = 1000
/** The first text waits until the model is read: seconds, on a busy machine many of them. */
const LIMITS = { timeoutMs: 60_000, heapMb: 256 }

/** Where the vectors of a model are kept, and who learns of its failures. */
export interface ModelPlace {
  /** The data directory. */
  readonly folder: string
  /** Receives each failure of the model. */
  readonly report: (error: Error) => void
}

/** A model with a thread to end. */
export interface OpenedModel extends SentenceModel {
  readonly shutDown: () => Promise<void>
}

/** Opens the model of the installed packages. Gives `embedder_missing`. */
export async function openInstalledMiniLm(place: ModelPlace): Promise<Result<OpenedModel>> {
  const packages = installedPackages()
  return packages
    ? ok(await openMiniLm(packages, place))
    : failed([embedderProblem('embedder_missing', { packages: Object.values(PACKAGES) })])
}

/**
 * The model all-MiniLM-L6-v2 in a thread of its own, which starts with the first text. Vectors of catalogs are kept in a
 * file; those of goals are not kept, because goals belong to their callers.
 */
export async function openMiniLm(packages: Packages, { folder, report }: ModelPlace): Promise<OpenedModel> {
  const kept = await KeptVectors.open(join(folder, 'vectors', 'minilm.bin'), {
    model: PACKAGES.weights,
    dimensions: DIMENSIONS,
    most: MAX_KEPT,
  })
  const thread = new JobThread<EmbedJob, Float32Array>(new URL('./worker.js', import.meta.url), LIMITS)
  let isEnding = false
  let waiting = 0
  const embedded = async (text: string): Promise<Float32Array | undefined> => {
    let vector: Float32Array | undefined
    waiting++
    const end = await thread.run({ packages, text: cut(text) }, (made) => (vector = made))
    waiting--
    if (end.kind !== 'done')
      report(end.kind === 'failed' ? end.error : new Error(`The model of discovery failed: ${end.kind}.`))
    return vector
  }
  const keepAll = async (texts: readonly string[]): Promise<boolean> => {
    let fresh = 0
    for (const text of texts) {
      if (kept.get(cut(text))) continue
      const vector = isEnding ? undefined : await embedded(text)
      if (!vector) {
        await kept.save()
        return false
      }
      kept.set(cut(text), vector)
      if (++fresh % SAVED_AFTER === 0) await kept.save()
    }
    await kept.save()
    return true
  }
  let keeping: Promise<unknown> = Promise.resolve()
  return {
    dimensions: DIMENSIONS,
    kept: (text) => kept.get(cut(text)),
    keep: (texts) => {
      if (texts.length > MAX_KEPT) return Promise.resolve(false)
      // One text at a time, of whatever catalogs: a goal waits for at most one of them.
      const areKept = keeping.then(() => keepAll(texts))
      keeping = areKept
      return areKept
    },
    embed: async (texts) => {
      if (isEnding || waiting + texts.length > MAX_WAITING) return undefined
      const late = delay(GOAL_MS, undefined, { ref: false })
      const vectors = await Promise.race([Promise.all(texts.map(embedded)), late])
      const made = (vectors ?? []).filter((vector) => vector !== undefined)
      return made.length === texts.length ? made : undefined
    },
    shutDown: async () => {
      isEnding = true
      await thread.shutDown()
    },
  }
}

function cut(text: string): string {
  return text.slice(0, MAX_LENGTH)
}
