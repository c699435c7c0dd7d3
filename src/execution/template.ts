import type { Json } from '../base/canonical.ts'

/** A template to render over rows, within a number of engine steps. */
export interface TemplateJob {
  readonly template: string
  readonly rows: readonly Json[]
  readonly fuel: number
}

/** The text of a template, or the reason why there is none. */
export type Rendered = { readonly text: string } | { readonly reason: string }

/**
 * Renders templates. Steps bound neither the time nor the memory of the engine, since a filter is one step over a text of any
 * length: an implementation limits both, and leaves the thread that serves callers free.
 */
export type TemplateRenderer = (job: TemplateJob) => Promise<Rendered>
