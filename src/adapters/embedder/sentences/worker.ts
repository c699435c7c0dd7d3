import { giveWay, serveJobs } from '../../threads/serve-jobs.ts'
import type { Packages } from './packages.ts'

/** One text to embed. */
export interface EmbedJob {
  readonly packages: Packages
  readonly text: string
}

interface Model {
  readonly embed: (texts: readonly string[]) => Promise<readonly (readonly number[])[]>
}

let loaded: Promise<Model> | undefined

async function load(packages: Packages): Promise<Model> {
  const { createEmbedder }: { createEmbedder: (options: { readonly model: unknown }) => Promise<Model> } =
    await import(packages.embed)
  const weights: { readonly default: unknown } = await import(packages.weights)
  return createEmbedder({ model: weights.default })
}

giveWay()
serveJobs<EmbedJob, Float32Array>(async ({ packages, text }) => {
  const model = await (loaded ??= load(packages))
  return (await model.embed([text])).map((vector) => Float32Array.from(vector))
})
